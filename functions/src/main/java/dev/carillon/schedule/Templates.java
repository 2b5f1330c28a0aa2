package dev.carillon.schedule;

import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import dev.carillon.template.Template;
import dev.carillon.template.Template.Scope;
import org.jspecify.annotations.Nullable;

/** Reads texts with variables. */
final class Templates {

  private Templates() {}

  /** A text with variables; null if it is absent. */
  static @Nullable String optionalText(Fields fields, String name, TextForm form, Scope scope) {
    return fields.has(name) ? text(fields, name, form, scope) : null;
  }

  /** A required text with variables. */
  static String text(Fields fields, String name, TextForm form, Scope scope) {
    String text = fields.text(name, form);
    fields.include(name, Template.ofText(text).faults(scope));
    return text;
  }
}
