/**
 * The console: one page that shows the API's answers. The package contains the files of the page
 * and the answers of a server to requests for them; it uses only the JDK.
 */
@NullMarked
package dev.carillon.console;

import org.jspecify.annotations.NullMarked;
