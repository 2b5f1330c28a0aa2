package dev.carillon.worker;

/** A pool that a worker pulls from. */
record PoolAddress(String namespace, String pool) {

  private static final String DEFAULT_NAMESPACE = "default";

  /**
   * @param text a text like {@code encode}, for a pool of the namespace {@code default}, or {@code
   *     team/encode}
   */
  static PoolAddress of(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? new PoolAddress(DEFAULT_NAMESPACE, text)
        : new PoolAddress(text.substring(0, slash), text.substring(slash + 1));
  }

  /** The name in logs and error texts. */
  String text() {
    return namespace + "/" + pool;
  }

  Source source() {
    return new Source(text());
  }
}
