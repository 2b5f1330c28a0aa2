package dev.carillon.campaign.judge;

/**
 * An EventBridge event pattern over the payload of a {@link Fact}.
 *
 * @param color the color that the rule names
 * @param number the number that the rule names
 */
public record Filter(Rule rule, String color, int number) {

  /** The condition for the payload. */
  public enum Rule {
    COLOR,
    COLOR_PREFIX,
    ANOTHER_COLOR,
    ANY_COLOR,
    NO_COLOR,
    ABOVE,
    COLOR_AND_ABOVE,
    COLOR_OR_ABOVE
  }

  /** Whether the pattern matches. A field that is missing matches only {@code NO_COLOR}. */
  boolean matches(Fact fact) {
    String actual = fact.color();
    boolean isColor = color.equals(actual);
    boolean isAbove = fact.number() != null && fact.number() > number;
    return switch (rule) {
      case COLOR -> isColor;
      case COLOR_PREFIX -> actual != null && actual.startsWith(color);
      case ANOTHER_COLOR -> actual != null && !isColor;
      case ANY_COLOR -> actual != null;
      case NO_COLOR -> actual == null;
      case ABOVE -> isAbove;
      case COLOR_AND_ABOVE -> isColor && isAbove;
      case COLOR_OR_ABOVE -> isColor || isAbove;
    };
  }
}
