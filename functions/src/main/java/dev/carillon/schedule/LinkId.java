package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import org.jspecify.annotations.Nullable;

/**
 * The property that joins jobs of a namespace, so that their progress is shown together, whatever
 * their schedules are.
 */
public final class LinkId {

  /** The member of a schedule document, and of a launch-now call, that holds the properties. */
  public static final String PROPERTIES = "properties";

  public static final String NAME = "linkId";

  /**
   * The length is limited because the namespace and the link form the key of an index, which has at
   * most 2,048 bytes.
   */
  public static final TextForm FORM = TextForm.line(256);

  private LinkId() {}

  /** Adds a fault if the properties have an invalid link. */
  public static void check(Fields properties) {
    String unused = properties.optionalText(NAME, FORM);
  }

  /**
   * The link of a job; null for none. A property that {@link #check} would refuse is not a link: a
   * version that knew no links stored it.
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
