package dev.carillon.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromB;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.carillon.document.Json;
import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.pool.ChosenCounts;
import dev.carillon.pool.ChosenCounts.Count;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.StoredPool;
import dev.carillon.pool.Turns;
import dev.carillon.pool.Turns.Flow;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The forms in which pools are stored, which later versions must be able to read. */
class StoredPoolFormTest {

  private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);
  private static final PoolId ENCODE = new PoolId("default", "encode");
  private static final JobId JOB = JobId.ofFire(new ScheduleId("default", "report"), 1, AT);
  private static final ReadyJob READY = new ReadyJob(ENCODE, 2, "acme", AT, JOB);

  /** Also with attributes that only a newer version knows. */
  private static <T> void assertForm(
      T record, TableSchema<T> schema, Map<String, AttributeValue> item) {
    assertThat(schema.itemToMap(record, true)).isEqualTo(item);
    assertThat(schema.mapToItem(item)).isEqualTo(record);
    assertThat(schema.mapToItem(NewerItems.newer(item))).isEqualTo(record);
  }

  private static AttributeValue deflated(String base64) {
    return fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode(base64)));
  }

  @Test
  void aPool() {
    StoredPool pool =
        new StoredPool(
            ENCODE,
            1_700_000_000_003L,
            PoolReader.read(Json.readObject("{\"queue\": \"encode\", \"depth\": 7}")),
            AT,
            "ann",
            AT.plusMillis(5),
            "bob");
    assertForm(
        pool,
        PoolItem.SCHEMA,
        Map.of(
            "gate", fromS("default#pools"),
            "item", fromS("encode"),
            "v", fromN("1700000000003"),
            "document",
                deflated(
                    "eNo1jUEKAyEQBP/S57kHfMBCniFOb1Yw6o5KAsv+PXrIrami6AvKFizWHkuGAwTn4OCczKEoJ1DWfsA9BMWUNtXuo03xYXwdvcFdt+Dtv8+8pUX+oIeZ5ZGSoPrRqHC7T40Co2/rb8n7B2C/LLI="),
            "createdAt", fromN("1700000000000"),
            "createdBy", fromS("ann"),
            "changedAt", fromN("1700000000005"),
            "changedBy", fromS("bob")));
  }

  /** A state with a chosen job. */
  private static PoolState stateWithRound(long round) {
    Turns turns = new Turns(12, "acme", 3, 4, 1, 0.5, Map.of(Turns.REST, new Flow(1.5, true)));
    Turns begun = new Turns(1, null, 0, 0, 0, 0, Map.of());
    Leaving leaving = new Leaving(READY, AT.plusSeconds(30), false, round);
    return new PoolState(
        ENCODE,
        4,
        Order.FAIR,
        Map.of(1, begun, 2, turns),
        List.of(leaving),
        7,
        null,
        ChosenCounts.NONE,
        null);
  }

  @Test
  void aState() {
    assertForm(
        stateWithRound(12),
        PoolItem.STATE,
        Map.of(
            "gate", fromS("default#pool:encode"),
            "item", fromS("state"),
            "v", fromN("4"),
            "s",
                deflated(
                    "eNpFjTsLAjEQhP/LpB0kD+UknY1ga3umODSN3ENCTjlC7rebKOIOLMN+s0zCBIvj4XQGMcA2RIRNULCt4jj3PeVXG8mUHaEr0UR3HTxouKUqcMeEy1hRsTHM3mWXiXu5tAi+uy1Ci/oipFSN/I8I/jGFuFavVtlPy8s89R78pUxdrhSHT7HLb0m8Lxs=")));
  }

  /** A former version stored no rounds. */
  @Test
  void aStateWithoutRounds() {
    assertForm(
        stateWithRound(0),
        PoolItem.STATE,
        Map.of(
            "gate", fromS("default#pool:encode"),
            "item", fromS("state"),
            "v", fromN("4"),
            "s",
                deflated(
                    "eNpFi00LwjAQRP/L5DpIPpRKbl6EXr3WHIrmImkroVVKSH+7CSLuwvKYt5MwweJ8ai8gBtiGmGETFGynOC4hUH53J5myI3Q1muhvgwcN91RFHphwHasqOMfFu+wy8ShJh+j7+yq0qBUhpWrkf0T0zynOW2W1yTCtb/PSR/D3ZepxLn8ArWAs5A==")));
  }

  @Test
  void aStateWithChosenCounts() {
    ChosenCounts served =
        new ChosenCounts(
            944_444,
            Map.of("acme", new Count(25, 0), "", new Count(1, 7)),
            new Count(1_000_000, 3));
    assertForm(
        new PoolState(ENCODE, 4, Order.FAIR, Map.of(), List.of(), 7, null, served, null),
        PoolItem.STATE,
        Map.of(
            "gate", fromS("default#pool:encode"),
            "item", fromS("state"),
            "v", fromN("4"),
            "s",
                deflated(
                    "eNqrVspXslJyc/QMUtJRylWyMtdRKlGyqq7VUcpSsoqO1VHKAFKWJiCgE21oAAY6xrE61UpAcUMdc6CKxOTcVCDHyFTHILY2thYARW4UwA==")));
  }

  @Test
  void aStateOfAPoolThatIsBeingStoredByAnotherOrder() {
    PoolState state = PoolState.begin(ENCODE).ordering(READY.key());
    String text = PoolStateText.write(state);
    assertThat(text).contains("\"u\":\"" + READY.key() + "\"");
    assertThat(PoolStateText.read(ENCODE, 1, text)).isEqualTo(state);
  }

  @Test
  void anActivity() {
    Map<String, AttributeValue> item =
        Map.of(
            "gate", fromS("default#pool:encode"),
            "item", fromS("activity"),
            "c", fromN("8"),
            "n", fromN("1700000000000"),
            "e", fromN("1700000000500"),
            "attentionAt", fromN("1700000020000"));
    assertForm(
        new PoolActivities.Stored(
            ENCODE, 8, AT, AT.plusMillis(500), new Urgent(AT.plusSeconds(20), 0)),
        PoolActivities.SCHEMA,
        item);
  }

  @Test
  void rows() {
    assertRow(READY, "ready#2#acme#001700000000000#report~00001~0loyw3v28");
    assertRow(new Newcomer(ENCODE, 2, "a b"), "new#2#a%20b#");
    assertRow(new InFlight(ENCODE, "", AT, JOB), "flight##001700000000000#report~00001~0loyw3v28");
    assertForm(
        new Served(ENCODE, 2, "a#b", 12),
        PoolItem.ROW,
        Map.of(
            "gate", fromS("default#pool:encode"),
            "item", fromS("ready#2#a%23b#"),
            "round", fromN("12")));
  }

  private static void assertRow(PoolRow row, String key) {
    assertForm(row, PoolItem.ROW, Map.of("gate", fromS("default#pool:encode"), "item", fromS(key)));
  }
}
