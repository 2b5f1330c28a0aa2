package dev.carillon.imports.crontab;

import dev.carillon.imports.Names;
import dev.carillon.imports.NotCarried;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a crontab.
 *
 * @param expression five fields
 * @param user the user; null in a crontab of one user
 * @param input the standard input of the command; null for none
 * @param isQuiet whether cron does not log the entry
 */
record CrontabEntry(
    String expression,
    @Nullable String user,
    String command,
    @Nullable String input,
    boolean isQuiet) {

  private static final Map<String, String> NICKNAMES =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *",
          "@every_minute", "* * * * *");

  private static final String FIELD = "[0-9A-Za-z*,/~?-]+";
  private static final Pattern FIELDS =
      Pattern.compile("(?<time>%1$s(?:\\s+%1$s){4})\\s+(?<rest>.*)".formatted(FIELD));
  private static final Pattern NICKNAME = Pattern.compile("(?<time>@\\S+)(?:\\s+(?<rest>.*))?");
  private static final Pattern USER = Pattern.compile("(?<user>\\S+)\\s+(?<command>.*)");
  private static final Pattern FLAGS = Pattern.compile("-[nqs]+\\s.*");
  private static final Pattern PERCENT = Pattern.compile("(?<!\\\\)%");
  private static final Pattern WORD = Pattern.compile("\\s+");
  private static final Pattern STEP_OF_NUMBER = Pattern.compile("([0-9A-Za-z]+)/([0-9]+)");

  /** Where the output of a command goes, or its input comes from: {@code >> FILE 2>&1}. */
  private static final Pattern REDIRECTION =
      Pattern.compile(
          "\\|&?\\s*(?:\\S*/)?logger(?=\\s|$)[^|;&]*"
              + "|(?:(?<!\\S)[0-9]+|&)?(?:>>|>\\||<>|<{1,3}|>)&?\\s*[^\\s|;&<>]*");

  private static final int LONGEST_NAME = 48;

  /** The last value of each field. */
  private static final List<Integer> LAST = List.of(59, 23, 31, 12, 6);

  /**
   * Whether a line begins with a time. Such a line is an entry and not a setting, even if it
   * contains {@code =}.
   */
  static boolean isTime(String line) {
    return line.startsWith("@") || FIELDS.matcher(quiet(line)).matches();
  }

  /**
   * @throws NotCarried if the line is not an entry, or is an entry without an equivalent
   */
  static CrontabEntry of(String line, boolean isSystem) {
    Matcher fields = FIELDS.matcher(quiet(line));
    if (fields.matches()) {
      String expression = expression(fields.group("time"));
      return of(expression, fields.group("rest").strip(), isSystem, line.startsWith("-"));
    }
    Matcher nickname = NICKNAME.matcher(line);
    if (nickname.matches()) {
      String rest = nickname.group("rest");
      return of(ofNickname(nickname.group("time")), rest == null ? "" : rest, isSystem, false);
    }
    throw new NotCarried("it is neither a setting nor five fields and a command");
  }

  /**
   * The entry without a hyphen at its beginning. The hyphen keeps SUSE's cron from logging the
   * entry.
   */
  private static String quiet(String line) {
    return line.startsWith("-") ? line.substring(1) : line;
  }

  private static String expression(String fields) {
    if (fields.contains("~")) {
      throw new NotCarried(
          "a random time (~) has no equivalent; give a time, and \"flexible\" to spread the fires");
    }
    if (fields.contains("?")) {
      throw new NotCarried("? is not a field of cron; write * for any value");
    }
    String[] each = WORD.split(fields);
    for (int field = 0; field < each.length; field++) {
      refuseStepOfNumber(each[field], LAST.get(field));
    }
    return String.join(" ", each);
  }

  /**
   * Refuses a step after a single number. Some crons ignore such a step, and others refuse the
   * entry, but the dialect unix reads a sequence.
   *
   * @param last the last value of the field
   */
  private static void refuseStepOfNumber(String field, int last) {
    for (String item : field.split(",", -1)) {
      Matcher step = STEP_OF_NUMBER.matcher(item);
      if (step.matches()) {
        throw new NotCarried(
            "\"%s\": cron allows a step only after a range or *; write %s-%d/%s for a sequence, or %s"
                .formatted(item, step.group(1), last, step.group(2), step.group(1)));
      }
    }
  }

  private static String ofNickname(String nickname) {
    String known = nickname.toLowerCase(Locale.ROOT);
    if (known.equals("@reboot")) {
      throw new NotCarried(
          "@reboot has no equivalent, because Carillon has no machine that starts");
    }
    String fields = NICKNAMES.get(known);
    if (fields == null) {
      throw new NotCarried(nickname + " is unknown; write five fields");
    }
    return fields;
  }

  private static CrontabEntry of(
      String expression, String rest, boolean isSystem, boolean isQuiet) {
    String user = null;
    String command = rest;
    if (isSystem) {
      Matcher named = USER.matcher(rest);
      if (!named.matches()) {
        throw new NotCarried(
            "the entry has no user and command; with --system each entry needs both");
      }
      user = named.group("user");
      command = named.group("command");
    }
    if (FLAGS.matcher(command).matches()) {
      throw new NotCarried("the flags in front of the command have no equivalent; remove them");
    }
    String[] parts = PERCENT.split(command, 2);
    String bare = parts[0].strip().replace("\\%", "%");
    if (bare.isEmpty()) {
      throw new NotCarried("it has no command");
    }
    String input = parts.length == 1 ? null : input(parts[1]);
    return new CrontabEntry(expression, user, bare, input, isQuiet);
  }

  /** Turns each percent sign into a line break, and {@code \%} into a percent sign. */
  private static String input(String text) {
    String lines = PERCENT.matcher(text).replaceAll("\n").replace("\\%", "%");
    return lines.endsWith("\n") ? lines : lines + "\n";
  }

  /** A name from the words of the command, without the folders of paths and redirections. */
  String name() {
    String bare = REDIRECTION.matcher(command).replaceAll(" ");
    List<String> words =
        Arrays.stream(WORD.split(bare))
            .map(word -> word.substring(word.lastIndexOf('/') + 1))
            .map(word -> word.replaceAll("[^A-Za-z0-9_.]+", "-").replaceAll("^[-.]+|[-.]+$", ""))
            .filter(word -> !word.isEmpty())
            .toList();
    String joined = String.join("-", words);
    return Names.name(joined.substring(0, Math.min(joined.length(), LONGEST_NAME)));
  }
}
