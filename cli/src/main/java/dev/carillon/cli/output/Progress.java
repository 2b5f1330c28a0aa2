package dev.carillon.cli.output;

import java.io.PrintWriter;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows the progress of long work. */
public final class Progress implements AutoCloseable {

  private final @Nullable ProgressBar bar;

  private Progress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** Progress that is not shown. */
  public static Progress hidden() {
    return new Progress(null);
  }

  /**
   * Progress as a bar.
   *
   * @param steps the number of steps; negative if it is unknown
   * @param width the columns of the screen
   */
  public static Progress shown(PrintWriter err, String task, long steps, int width) {
    DelegatingProgressBarConsumer screen =
        new DelegatingProgressBarConsumer(
            line -> {
              err.print("\r" + line);
              err.flush();
            },
            width) {
          @Override
          public void close() {
            err.println();
            err.flush();
          }
        };
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(screen)
            .build());
  }

  /** Shows how many steps are done. */
  public void at(long steps) {
    if (bar != null) {
      bar.stepTo(steps);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
