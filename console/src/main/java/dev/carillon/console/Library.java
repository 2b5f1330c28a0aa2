package dev.carillon.console;

import java.util.Map;

/** The files of libraries that the page loads, by their names on the server. */
final class Library {

  private static final String ROOT = "/META-INF/resources/";
  private static final String PREACT = ROOT + "webjars/preact/10.28.0/";
  private static final String UPLOT = ROOT + "webjars/uplot/1.6.30/dist/";
  private static final String SIMPLE = ROOT + "_static/simpledotcss/2.3.1/";

  static final Map<String, String> FILES =
      Map.of(
          "preact.js", PREACT + "dist/preact.min.umd.js",
          "preact-hooks.js", PREACT + "hooks/dist/hooks.umd.js",
          "uplot.js", UPLOT + "uPlot.iife.min.js",
          "uplot.css", UPLOT + "uPlot.min.css",
          "simple.css", SIMPLE + "simple.min.css");

  private Library() {}
}
