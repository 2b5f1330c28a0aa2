package dev.carillon.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Limits of submitted documents: their size, their depth, valid Unicode, and numbers that can be
 * read back.
 */
public final class Bounds {

  public static final int MOST_BYTES = 64 * 1024;

  /**
   * The most digits of a number. JSON can be written with more digits than it was read with, and
   * the reader refuses a number of more than 1000.
   */
  private static final int MOST_DIGITS = 900;

  /**
   * The largest exponent of a number with one digit before its decimal point. JSON is written in
   * this form, and the reader refuses a larger exponent, although it reads {@code 12E2147483647}.
   */
  private static final int MOST_EXPONENT = Integer.MAX_VALUE;

  private Bounds() {}

  /** Adds a fault if the text is too large. */
  public static void checkSize(String text, String pointer, Faults faults) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      faults.add(
          pointer,
          "the document has %d bytes of JSON; give at most %d, and refer to bulk data stored elsewhere"
              .formatted(bytes, MOST_BYTES));
    }
  }

  /**
   * Adds a fault for each value that is nested too deeply or holds an unpaired surrogate, and for
   * each number that could not be read back.
   */
  public static void checkContent(JsonNode document, String pointer, Faults faults) {
    check(document, pointer, 1, faults);
  }

  /** How many objects and lists are nested in each other. */
  public static int depth(JsonNode node) {
    int most = 0;
    for (JsonNode member : node) {
      most = Math.max(most, depth(member));
    }
    return node.isContainerNode() ? most + 1 : 0;
  }

  private static void check(JsonNode node, String pointer, int depth, Faults faults) {
    if (node.isTextual()) {
      checkText(node.textValue(), pointer, faults);
    } else if (node.isBigInteger() || node.isBigDecimal()) {
      checkNumber(node.decimalValue(), pointer, faults);
    } else if (node.isContainerNode() && depth > Json.DEEPEST) {
      faults.add(
          pointer,
          "objects and lists are nested more than %d deep; flatten them".formatted(Json.DEEPEST));
    } else {
      checkMembers(node, pointer, depth + 1, faults);
    }
  }

  private static void checkMembers(JsonNode node, String pointer, int depth, Faults faults) {
    for (var member : node.properties()) {
      checkText(member.getKey(), pointer, faults);
      check(member.getValue(), Faults.member(pointer, member.getKey()), depth, faults);
    }
    if (node.isArray()) {
      for (int index = 0; index < node.size(); index++) {
        check(node.get(index), pointer + "/" + index, depth, faults);
      }
    }
  }

  private static void checkNumber(BigDecimal number, String pointer, Faults faults) {
    int digits = number.precision();
    long exponent = digits - 1L - number.scale();
    if (digits > MOST_DIGITS) {
      faults.add(
          pointer,
          "the number has %d digits; give at most %d, or a text".formatted(digits, MOST_DIGITS));
    } else if (exponent > MOST_EXPONENT) {
      faults.add(
          pointer,
          "the number has the exponent %d; give at most %d, or a text"
              .formatted(exponent, MOST_EXPONENT));
    }
  }

  private static void checkText(String text, String pointer, Faults faults) {
    boolean broken = text.codePoints().anyMatch(point -> point >= 0xD800 && point <= 0xDFFF);
    if (broken) {
      faults.add(
          pointer, "the text contains an unpaired surrogate, which is not a character; remove it");
    }
  }
}
