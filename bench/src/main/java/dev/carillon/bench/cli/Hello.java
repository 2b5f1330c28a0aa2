package dev.carillon.bench.cli;

/** The program that the command line is compared with. */
public final class Hello {

  private Hello() {}

  public static void main(String[] arguments) {
    System.out.println("hello world");
  }
}
