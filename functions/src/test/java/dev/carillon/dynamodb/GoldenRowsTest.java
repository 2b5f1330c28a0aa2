package dev.carillon.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.carillon.document.Json;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.JobState;
import dev.carillon.pool.PoolRow;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The rows of two versions: as the present one stores them, with every attribute that it knows, and
 * as a former one stored them, without the attributes that were added since. A former row never
 * changes: this version and all later ones must read it.
 */
class GoldenRowsTest {

  private static final Map<String, TableSchema<?>> SCHEMAS = schemas();

  private static final AttributeConverter<String> DEFLATED =
      Forms.deflated(String.class, text -> text, text -> text);

  private static final Map<String, List<Map<String, AttributeValue>>> PRESENT = rows("present");
  private static final Map<String, List<Map<String, AttributeValue>>> FORMER = rows("former");

  /** Attributes beside those of the record, which the stores add to its item. */
  private static final Set<String> ADDED =
      Set.of(AttentionItem.SHARD, Writes.TOKEN, "expiresAt", "headVersion");

  /** The ids that a collecting job has counted. */
  private static final Set<String> SEEN = Set.of("s", "sf", "sl", "su");

  /** Texts and compressed texts that are JSON objects, with members of their own. */
  private static final Map<String, Set<String>> OBJECTS =
      Map.of(
          "JobItem.SCHEMA", Set.of("run", "o"),
          "CollectingJobItem.SCHEMA", Set.of("o"),
          "PoolItem.STATE", Set.of("s"));

  static Set<String> kinds() {
    return SCHEMAS.keySet();
  }

  @Test
  void eachKindHasARowInBothSets() {
    assertThat(PRESENT.keySet()).isEqualTo(kinds());
    assertThat(FORMER.keySet()).isEqualTo(kinds());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void eachAttributeIsInAPresentRow(String kind) {
    Set<String> known = new TreeSet<>(SCHEMAS.get(kind).attributeNames());
    Set<String> shown = new TreeSet<>();
    PRESENT.get(kind).forEach(row -> shown.addAll(row.keySet()));
    if (kind.equals("AttentionItem.OF_GATES")) {
      known.remove(JobItem.STATE);
    }
    assertThat(shown).containsAll(known);
  }

  @Test
  void eachKindOfRowOfAPoolIsShown() {
    Set<Class<?>> shown = new HashSet<>();
    PRESENT.get("PoolItem.ROW").forEach(row -> shown.add(PoolItem.ROW.mapToItem(row).getClass()));
    Set<Class<?>> known = new HashSet<>();
    addRecords(PoolRow.class, known);
    assertThat(shown).isEqualTo(known);
  }

  private static void addRecords(Class<?> type, Set<Class<?>> records) {
    if (type.isSealed()) {
      List.of(type.getPermittedSubclasses()).forEach(one -> addRecords(one, records));
    } else {
      records.add(type);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void presentRowsAreStoredAsTheyWereRead(String kind) {
    PRESENT.get(kind).forEach(row -> assertStoredAgain(SCHEMAS.get(kind), row, row));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void formerRowsAreReadAndLoseNothing(String kind) {
    FORMER
        .get(kind)
        .forEach(row -> assertThat(stored(SCHEMAS.get(kind), row, row)).containsAllEntriesOf(row));
  }

  /** A kind that had an attribute in one of its rows may have required it ever since. */
  @ParameterizedTest
  @MethodSource("kinds")
  void presentRowsAreReadWithoutAttributesThatAreNew(String kind) {
    Set<String> former = new HashSet<>();
    FORMER.get(kind).forEach(row -> former.addAll(row.keySet()));
    for (Map<String, AttributeValue> row : PRESENT.get(kind)) {
      Map<String, AttributeValue> older = new HashMap<>(row);
      older.keySet().retainAll(former);
      assertThat(SCHEMAS.get(kind).mapToItem(older)).as(kind).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void rowsOfANewerVersionAreReadAsIfTheyHadNothingNew(String kind) {
    for (Map<String, AttributeValue> row : PRESENT.get(kind)) {
      Map<String, AttributeValue> newer = new HashMap<>(NewerItems.newer(row));
      OBJECTS.getOrDefault(kind, Set.of()).forEach(name -> addMember(newer, name));
      assertStoredAgain(SCHEMAS.get(kind), newer, row);
    }
  }

  @Test
  void programsWithLimits() {
    Map<String, AttributeValue> row =
        Map.of(
            "schedule", AttributeValue.fromS("default"),
            "item", AttributeValue.fromS("gated"),
            "0a", AttributeValue.fromN("2"),
            "73", AttributeValue.fromN("1"));
    LimitedPrograms limited = new LimitedPrograms(Map.of(10, 2L, 255, 1L));
    assertThat(limited(row)).isEqualTo(limited);
    assertThat(limited(NewerItems.newer(row))).isEqualTo(limited);
    assertThat(LimitedItem.additions("default", Map.of(10, 2L, 255, 1L)).attributes())
        .isEqualTo(row);
  }

  /** Without knowing what the member means, a function would fire or launch what it must not. */
  @Test
  void aDocumentWithAMemberOfANewerVersionIsNotRead() {
    Map<String, AttributeValue> calendar = new HashMap<>(PRESENT.get("CalendarItem.SCHEMA").get(0));
    addMember(calendar, "current");
    assertThat(Items.readable(List.of(new Item<>(calendar, CalendarItem.SCHEMA)))).isEmpty();
    Map<String, AttributeValue> pool = new HashMap<>(PRESENT.get("PoolItem.SCHEMA").get(0));
    addMember(pool, "document");
    assertThat(Items.readable(List.of(new Item<>(pool, PoolItem.SCHEMA)))).isEmpty();
  }

  @Test
  void aStateOfAJobThatIsNotKnownIsNotTakenForAnother() {
    Map<String, AttributeValue> row = new HashMap<>(PRESENT.get("JobItem.SCHEMA").get(0));
    row.put("state", AttributeValue.fromS("OF_A_NEWER_VERSION"));
    assertThat(Items.readable(List.of(new Item<>(row, JobItem.SCHEMA)))).isEmpty();
    row.put("state", AttributeValue.fromS(JobState.RUNNING.name()));
    assertThat(Items.readable(List.of(new Item<>(row, JobItem.SCHEMA)))).hasSize(1);
  }

  private static LimitedPrograms limited(Map<String, AttributeValue> row) {
    return LimitedItem.read(List.of("default"), List.of(new Item<>(row, LimitedItem.KEY)))
        .get("default");
  }

  /** Reads a row; what is stored then is the expected row. */
  private static <T> void assertStoredAgain(
      TableSchema<T> schema,
      Map<String, AttributeValue> row,
      Map<String, AttributeValue> expected) {
    assertThat(stored(schema, row, expected)).isEqualTo(expected);
  }

  private static <T> Map<String, AttributeValue> stored(
      TableSchema<T> schema,
      Map<String, AttributeValue> row,
      Map<String, AttributeValue> expected) {
    T record = schema.mapToItem(row);
    Map<String, AttributeValue> stored = new HashMap<>(schema.itemToMap(record, true));
    Stream.concat(
            ADDED.stream(),
            record instanceof CollectingJob ? SEEN.stream() : Stream.<String>empty())
        .filter(expected::containsKey)
        .forEach(name -> stored.putIfAbsent(name, expected.get(name)));
    return stored;
  }

  private static void addMember(Map<String, AttributeValue> row, String name) {
    AttributeValue text = row.get(name);
    if (text == null) {
      return;
    }
    row.put(
        name,
        text.s() == null
            ? DEFLATED.transformFrom(withMember(DEFLATED.transformTo(text)))
            : AttributeValue.fromS(withMember(text.s())));
  }

  private static String withMember(String text) {
    ObjectNode object = Json.readObject(text);
    object.putObject("newer").putArray("list").add(1);
    return Json.write(object);
  }

  /** The schemas of items, by the constants that hold them; those of keys are parts of others. */
  private static Map<String, TableSchema<?>> schemas() {
    Map<String, TableSchema<?>> schemas = new TreeMap<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(GoldenRowsTest.class.getPackageName())) {
      for (JavaField field : type.getFields()) {
        if (field.getRawType().isEquivalentTo(TableSchema.class) && isStatic(field)) {
          TableSchema<?> schema = value(field.reflect());
          if (schema.tableMetadata().keyAttributes().stream().findAny().isPresent()
              && !field.getName().endsWith("KEY")
              && !field.getName().equals("WITHOUT_DEMANDS")) {
            schemas.put(type.getSimpleName() + "." + field.getName(), schema);
          }
        }
      }
    }
    return schemas;
  }

  private static boolean isStatic(JavaField field) {
    return Modifier.isStatic(field.reflect().getModifiers());
  }

  private static TableSchema<?> value(Field field) {
    try {
      field.setAccessible(true);
      return (TableSchema<?>) Objects.requireNonNull(field.get(null));
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Map<String, List<Map<String, AttributeValue>>> rows(String version) {
    Map<String, List<Map<String, AttributeValue>>> rows = new TreeMap<>();
    String name = "/golden/" + version + "/rows.json";
    try (InputStream file = GoldenRowsTest.class.getResourceAsStream(name)) {
      ObjectNode all =
          Json.readObject(new String(Objects.requireNonNull(file).readAllBytes(), UTF_8));
      all.properties()
          .forEach(
              kind -> {
                List<Map<String, AttributeValue>> ofKind = new ArrayList<>();
                kind.getValue().forEach(row -> ofKind.add(map(row)));
                rows.put(kind.getKey(), ofKind);
              });
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return rows;
  }

  private static Map<String, AttributeValue> map(JsonNode row) {
    Map<String, AttributeValue> attributes = new TreeMap<>();
    row.properties().forEach(one -> attributes.put(one.getKey(), attribute(one.getValue())));
    return attributes;
  }

  /** A value in DynamoDB's JSON; compressed text is shown as text. */
  private static AttributeValue attribute(JsonNode value) {
    Map.Entry<String, JsonNode> only = value.properties().iterator().next();
    JsonNode content = only.getValue();
    return switch (only.getKey()) {
      case "S" -> AttributeValue.fromS(content.textValue());
      case "N" -> AttributeValue.fromN(content.textValue());
      case "BOOL" -> AttributeValue.fromBool(content.booleanValue());
      case "B" -> bytes(Base64.getDecoder().decode(content.textValue()));
      case "deflated" -> DEFLATED.transformFrom(content.textValue());
      case "M" -> AttributeValue.fromM(map(content));
      default -> {
        List<AttributeValue> list = new ArrayList<>();
        content.forEach(one -> list.add(attribute(one)));
        yield AttributeValue.fromL(list);
      }
    };
  }

  private static AttributeValue bytes(byte[] bytes) {
    return AttributeValue.fromB(SdkBytes.fromByteArray(bytes));
  }
}
