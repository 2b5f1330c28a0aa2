package dev.carillon.docs;

import java.util.ArrayList;
import java.util.List;

/** Reads the commands of a shell block: words, quotes, comments and continued lines. */
final class Shell {

  private final List<List<String>> commands = new ArrayList<>();
  private List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean isWord;
  private char quote;

  private Shell() {}

  static List<List<String>> commands(String block) {
    Shell shell = new Shell();
    String text = block.replace("\\\n", " ") + "\n";
    for (int i = 0; i < text.length(); i++) {
      boolean isComment = text.charAt(i) == '#' && shell.quote == 0 && !shell.isWord;
      i = isComment ? text.indexOf('\n', i) : i;
      shell.read(text.charAt(i));
    }
    return shell.commands;
  }

  private void read(char next) {
    if (quote != 0) {
      quoted(next);
    } else if (next == '\'' || next == '"') {
      quote = next;
      isWord = true;
    } else if (next == '\n' || next == ';') {
      endWord();
      endCommand();
    } else if (next == ' ') {
      endWord();
    } else {
      word.append(next);
      isWord = true;
    }
  }

  private void quoted(char next) {
    if (next == quote) {
      quote = 0;
    } else {
      word.append(next);
    }
  }

  private void endWord() {
    if (isWord) {
      words.add(word.toString());
    }
    word.setLength(0);
    isWord = false;
  }

  private void endCommand() {
    if (!words.isEmpty()) {
      commands.add(words);
    }
    words = new ArrayList<>();
  }
}
