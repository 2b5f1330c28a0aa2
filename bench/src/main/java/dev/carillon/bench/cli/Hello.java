package dev.carillon.bench.cli;

/** The program with which the command line is compared. */
public final class Hello {

  private Hello() {}

  public static void main(String[] arguments) {
    System.out.println("hello world");
  }
}
