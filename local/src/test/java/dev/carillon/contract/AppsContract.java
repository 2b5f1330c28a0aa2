package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.id.AppId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

abstract class AppsContract {

  static final AppId ID = new AppId("default", "exports");

  abstract Apps apps();

  static App claimed() {
    return App.claimed(ID, null, Set.of("report", "audit"), NOW, "ann");
  }

  @Test
  void anItemThatWasNeverStoredIsAbsent() {
    assertThat(apps().find(ID)).isEmpty();
  }

  @Test
  void anAppIsReadAsItWasStored() {
    App claimed = claimed();
    assertThat(apps().save(null, claimed)).isTrue();
    assertThat(apps().find(ID)).contains(claimed);

    App deployed = claimed.deployed(List.of("exporter", "b"), Set.of("report"), NOW, "ann");
    assertThat(apps().save(claimed, deployed)).isTrue();
    assertThat(apps().find(ID)).contains(deployed);
    assertThat(apps().find(new AppId("default", "export"))).isEmpty();
    assertThat(apps().find(new AppId("other", "exports"))).isEmpty();
  }

  @Test
  void anAppWithoutAnythingIsKept() {
    App empty = App.claimed(ID, null, Set.of(), NOW, "ann").released();
    apps().save(null, empty);
    assertThat(apps().find(ID)).contains(empty);
  }

  @Test
  void onlyOneOfTwoCreates() {
    App claimed = claimed();
    apps().save(null, claimed);
    assertThat(apps().save(null, App.claimed(ID, null, Set.of("other"), NOW, "bob"))).isFalse();
    assertThat(apps().find(ID)).contains(claimed);
  }

  @Test
  void aWriterThatReadAnOlderVersionChangesNothing() {
    App claimed = claimed();
    apps().save(null, claimed);
    App deployed = claimed.deployed(List.of(), Set.of(), NOW, "ann");
    apps().save(claimed, deployed);

    assertThat(apps().save(claimed, claimed.released())).isFalse();
    assertThat(apps().delete(claimed)).isFalse();
    assertThat(apps().find(ID)).contains(deployed);
  }

  @Test
  void aDeletedAppStaysAbsent() {
    App claimed = claimed();
    apps().save(null, claimed);

    assertThat(apps().delete(claimed)).isTrue();
    assertThat(apps().find(ID)).isEmpty();
    assertThat(apps().delete(claimed)).isTrue();
    assertThat(apps().save(claimed, claimed.released())).isFalse();
    assertThat(apps().find(ID)).isEmpty();
  }

  @Test
  void aWriterThatReadAnAppBeforeItsDeletionAndRecreationChangesNothing() {
    App claimed = claimed();
    apps().save(null, claimed);
    apps().delete(claimed);
    App second = App.claimed(ID, null, Set.of(), NOW.plusMillis(5), "bob");
    apps().save(null, second);

    assertThat(apps().save(claimed, claimed.released())).isFalse();
    assertThat(apps().delete(claimed)).isFalse();
    assertThat(apps().find(ID)).contains(second);
  }
}
