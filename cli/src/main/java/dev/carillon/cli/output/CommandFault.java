package dev.carillon.cli.output;

/** A command that cannot be carried out; the message says what is wrong, why, and the remedy. */
public class CommandFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CommandFault(String message) {
    super(message);
  }

  public CommandFault(String message, Throwable cause) {
    super(message, cause);
  }
}
