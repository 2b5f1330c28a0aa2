package dev.carillon.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help.Ansi;

class TableTest {

  private static final Table<String> NAMES =
      Table.<String>of("NAME", name -> name)
          .state("STATE", name -> "ACTIVE")
          .column("REASON", name -> name);

  /** The number of columns that a terminal needs for a line. */
  private static int columns(String line) {
    return Ansi.OFF.new Text(line).getCJKAdjustedLength();
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 25, 26, 30, 31, 40})
  void aTableWithWideCharactersFitsTheScreen(int width) {
    List<String> items = List.of("毎晩の輸出を行う予定表の名前", "nightly-export-of-everything");
    String text = NAMES.text(items, false, new Style(Ansi.OFF, width));

    assertThat(text.lines())
        .hasSize(3)
        .allSatisfy(line -> assertThat(columns(line)).isLessThanOrEqualTo(width));
    assertThat(text).contains("毎", "…", "night");
  }

  @Test
  void theColumnsAfterWideCharactersAreInLine() {
    String text = NAMES.text(List.of("毎晩", "daily"), false, Style.PLAIN);

    assertThat(text.lines().map(line -> columns(line.replaceAll("(STATE|ACTIVE).*", ""))))
        .containsExactly(7, 7, 7);
  }

  @Test
  void aWideTableIsNotCutAndACutTableKeepsItsColours() {
    String name = "毎晩の輸出を行う予定表の名前";
    assertThat(NAMES.text(List.of(name), true, new Style(Ansi.OFF, 20))).contains(name);
    assertThat(NAMES.text(List.of(name), false, new Style(Ansi.ON, 28)))
        .contains("\u001b[32mACTIVE\u001b[39m")
        .contains("…");
  }

  /** A character outside the basic plane is two values of type char. */
  @Test
  void aCharacterIsNotCutInTwo() {
    String text = NAMES.text(List.of("😀".repeat(20)), false, new Style(Ansi.OFF, 30));

    assertThat(text.replace("😀", "").chars())
        .noneMatch(it -> Character.isSurrogate((char) it.intValue()));
  }
}
