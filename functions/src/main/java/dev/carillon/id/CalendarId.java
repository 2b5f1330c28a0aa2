package dev.carillon.id;

/** A calendar's name within its namespace. */
public record CalendarId(String namespace, String name) {

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
