package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import org.jspecify.annotations.Nullable;

/**
 * The property that joins jobs of a namespace, whatever their schedules, so that their progress is
 * shown together.
 */
public final class LinkId {

  /** The properties of a schedule, and of a launch-now. */
  public static final String PROPERTIES = "properties";

  public static final String NAME = "linkId";

  /**
   * Limited because the namespace and the link form the key of an index, which has at most 2,048
   * bytes.
   */
  public static final TextForm FORM = TextForm.line(256);

  private LinkId() {}

  /** Adds a fault if the properties have an invalid one. */
  public static void check(Fields properties) {
    String unused = properties.optionalText(NAME, FORM);
  }

  /**
   * The link of a job; null for none. A property that {@link #check} would refuse is no link: it
   * was stored before this version knew links.
   *
   * @param properties the properties of the job's schedule
   * @param launchNow the body of the launch-now call, whose properties override those of the
   *     schedule; null for other jobs
   */
  public static @Nullable String of(ObjectNode properties, @Nullable ObjectNode launchNow) {
    JsonNode given = launchNow == null ? properties : launchNow.path(PROPERTIES);
    JsonNode link = given.has(NAME) ? given.path(NAME) : properties.path(NAME);
    return link.isTextual() && FORM.fits(link.textValue()) ? link.textValue() : null;
  }
}
