/** The command line of a checkout. Uses the engine's commands and the demo's; nothing uses it. */
@NullMarked
package dev.carillon.command;

import org.jspecify.annotations.NullMarked;
