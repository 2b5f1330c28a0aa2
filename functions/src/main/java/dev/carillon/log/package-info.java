/** How the functions log on Lambda. */
package dev.carillon.log;
