package dev.carillon.cli.output;

/** A command whose arguments and options do not fit; it made no request. */
public final class WrongUsage extends CommandFault {

  private static final long serialVersionUID = 1L;

  public WrongUsage(String message) {
    super(message);
  }

  public WrongUsage(String message, Throwable cause) {
    super(message, cause);
  }
}
