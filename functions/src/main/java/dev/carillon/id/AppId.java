package dev.carillon.id;

/** An app's name within its namespace, written {@code namespace/name}. */
public record AppId(String namespace, String name) {

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
