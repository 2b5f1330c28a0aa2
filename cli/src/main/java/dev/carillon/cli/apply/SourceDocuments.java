package dev.carillon.cli.apply;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.NameForm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schedules, pools and calendars of files and directories. A file has one document or a
 * list. A document names itself by its members {@code namespace} and {@code name}. If it has none,
 * its name is that of the file, and its namespace is the name of the first directory below the
 * given one. A document can also have the form of the API's answers, with its definition in the
 * member {@code schedule}. Pools and calendars always have this form, with the member {@code pool}
 * or {@code calendar}. Beside a definition, only members of the API's answers are allowed, so that
 * no member is ignored that belongs into the definition.
 */
public final class SourceDocuments {

  private static final String NAME = "name";
  private static final String NAMESPACE = "namespace";
  private static final String STATE = "state";

  /** The members that a schedule needs, and that no answer of the API has beside a definition. */
  private static final List<String> OF_SCHEDULES = List.of("trigger", "target");

  private final String namespace;
  private final List<SourceDocument> documents = new ArrayList<>();
  private final List<LocatedFault> faults = new ArrayList<>();

  private SourceDocuments(String namespace) {
    this.namespace = namespace;
  }

  /**
   * The documents that were read.
   *
   * @param faults the faults of the files, before a server has seen the documents
   */
  public record Found(List<SourceDocument> documents, List<LocatedFault> faults) {}

  /**
   * Reads all documents.
   *
   * @param namespace the namespace of documents that name none
   */
  public static Found read(List<Path> paths, String namespace) {
    SourceDocuments all = new SourceDocuments(namespace);
    paths.forEach(all::add);
    all.refuseDuplicates();
    return new Found(List.copyOf(all.documents), List.copyOf(all.faults));
  }

  private void add(Path path) {
    if (SourceFile.isStandardInput(path) || !Files.isDirectory(path)) {
      addFile(path, namespace);
      return;
    }
    try {
      Folder.files(path).forEach(file -> addFile(file, namespaceBelow(path, file)));
    } catch (FaultyFiles faulty) {
      faults.addAll(faulty.faults());
    }
  }

  private String namespaceBelow(Path directory, Path file) {
    Path relative = directory.relativize(file);
    return relative.getNameCount() > 1 ? relative.getName(0).toString() : namespace;
  }

  private void addFile(Path file, String usual) {
    SourceFile source;
    try {
      source = SourceFile.read(file);
    } catch (FaultyFiles faulty) {
      faults.addAll(faulty.faults());
      return;
    }
    JsonNode tree = source.tree();
    if (!tree.isArray()) {
      addDocument(source, "", tree, usual, nameOf(file));
      return;
    }
    for (int at = 0; at < tree.size(); at++) {
      addDocument(source, "/" + at, tree.get(at), usual, "");
    }
  }

  /** The name that a file gives its document; empty for a pipe and the standard input. */
  private static String nameOf(Path file) {
    if (SourceFile.isStandardInput(file) || !Files.isRegularFile(file)) {
      return "";
    }
    String name = file.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.') < 0 ? name.length() : name.lastIndexOf('.'));
  }

  private void addDocument(
      SourceFile source, String pointer, JsonNode tree, String usual, String usualName) {
    if (!(tree instanceof ObjectNode given)) {
      faults.add(
          source.fault(
              pointer, "it is not a document of a schedule, pool or calendar; give an object"));
      return;
    }
    if (!areStrings(source, pointer, given)) {
      return;
    }
    String name = given.path(NAME).asText("");
    name = name.isEmpty() ? usualName : name;
    if (name.isEmpty()) {
      faults.add(
          source.fault(
              pointer,
              pointer.isEmpty()
                  ? "the document has no file that names it; add the member 'name'"
                  : "a document of a list needs the member 'name'"));
      return;
    }
    String namespaceText = given.path(NAMESPACE).asText(usual);
    SourceDocument document = document(source, pointer, given, namespaceText, name);
    List<LocatedFault> misnamed = misnamed(document, pointer, given);
    faults.addAll(misnamed);
    if (misnamed.isEmpty()) {
      documents.add(document);
    }
  }

  private boolean areStrings(SourceFile source, String pointer, ObjectNode given) {
    List<LocatedFault> strange =
        Stream.of(NAME, NAMESPACE)
            .filter(given::hasNonNull)
            .filter(member -> !given.path(member).isTextual())
            .map(
                member ->
                    source.fault(
                        pointer + "/" + member,
                        given.path(member) + " is not a string; write the name in quotes"))
            .toList();
    faults.addAll(strange);
    return strange.isEmpty();
  }

  /** The faults of a name and a namespace that no object can have. */
  private static List<LocatedFault> misnamed(
      SourceDocument document, String pointer, ObjectNode given) {
    SourceFile source = document.source();
    return Stream.of(
            NameForm.OBJECT
                .fault(document.name())
                .map(fault -> source.fault(pointer + within(given, NAME), fault)),
            NameForm.NAMESPACE
                .fault(document.namespace())
                .map(fault -> source.fault(pointer + within(given, NAMESPACE), fault)))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The pointer to a member; empty if it has no value, so that the path of the file gives it. */
  private static String within(ObjectNode given, String member) {
    return given.hasNonNull(member) ? "/" + member : "";
  }

  private SourceDocument document(
      SourceFile source, String pointer, ObjectNode given, String namespace, String name) {
    Kind kind = OF_SCHEDULES.stream().anyMatch(given::has) ? null : defined(given);
    if (kind == null) {
      ObjectNode document = given.deepCopy().without(List.of(NAME, NAMESPACE));
      return new SourceDocument(Kind.SCHEDULE, source, pointer, namespace, name, document);
    }
    refuseIgnored(source, pointer, given, kind);
    ObjectNode definition = (ObjectNode) given.path(kind.word());
    return new SourceDocument(
        kind,
        source,
        pointer + "/" + kind.word(),
        namespace,
        name,
        kind == Kind.SCHEDULE ? answered(given, definition) : definition);
  }

  /** The kind whose member has a definition; null for the document of a schedule itself. */
  private static @Nullable Kind defined(ObjectNode given) {
    return Stream.of(Kind.values())
        .filter(kind -> given.path(kind.word()).isObject())
        .findFirst()
        .orElse(null);
  }

  private void refuseIgnored(SourceFile source, String pointer, ObjectNode given, Kind kind) {
    for (String member : (Iterable<String>) given::fieldNames) {
      if (!kind.hasInAnswers(member)) {
        faults.add(
            source.fault(
                pointer + JsonPointer.empty().appendProperty(member),
                "it is not within the member '%s'; write it there, or remove it"
                    .formatted(kind.word())));
      }
    }
  }

  /**
   * The document in an answer of the API, with the state of the answer if that state is ACTIVE or
   * SUSPENDED. A document can ask for no other state.
   */
  private static ObjectNode answered(ObjectNode answer, ObjectNode definition) {
    ObjectNode document = definition.deepCopy();
    String state = answer.path(STATE).asText();
    return state.equals("ACTIVE") || state.equals("SUSPENDED")
        ? document.put(STATE, state)
        : document;
  }

  private void refuseDuplicates() {
    Map<String, SourceDocument> first = new HashMap<>();
    for (SourceDocument document : documents) {
      SourceDocument other = first.putIfAbsent(document.id(), document);
      if (other != null) {
        String place = other.fault("", "").file() + ":" + other.fault("", "").line();
        faults.add(
            document.fault("", document.id() + " is also at " + place + "; keep one of them"));
      }
    }
  }
}
