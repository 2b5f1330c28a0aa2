package dev.carillon.worker;

import static dev.carillon.client.OperationState.FAILED;
import static dev.carillon.client.OperationState.RUNNING;
import static dev.carillon.client.OperationState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.schedule.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangesTest {

  private final Changes changes = new Changes();

  @Test
  void aHeartbeatCarriesEachChangeOnce() {
    changes.progress(Json.tree(1));
    changes.operation("load", RUNNING);
    assertThat(changes.take()).isEqualTo(new Changes.Batch(Json.tree(1), Map.of("load", RUNNING)));
    assertThat(changes.isEmpty()).isTrue();
    assertThat(changes.take()).isEqualTo(new Changes.Batch(null, Map.of()));
  }

  @Test
  void oneOperationIsTakenAlone() {
    changes.progress(Json.tree(1));
    changes.operation("load", RUNNING);
    changes.operation("read", SUCCEEDED);
    assertThat(changes.take("read"))
        .isEqualTo(new Changes.Batch(Json.tree(1), Map.of("read", SUCCEEDED)));
    assertThat(changes.take("read")).isEqualTo(new Changes.Batch(null, Map.of()));
    assertThat(changes.take()).isEqualTo(new Changes.Batch(null, Map.of("load", RUNNING)));
  }

  @Test
  void whatWasNotAnsweredIsKeptButForWhatIsNewer() {
    changes.progress(Json.tree(1));
    changes.operation("load", RUNNING);
    changes.operation("read", SUCCEEDED);
    Changes.Batch lost = changes.take();
    changes.operation("load", FAILED);
    changes.putBack(lost);
    assertThat(changes.take())
        .isEqualTo(new Changes.Batch(Json.tree(1), Map.of("load", FAILED, "read", SUCCEEDED)));

    changes.progress(Json.tree(2));
    changes.putBack(lost);
    assertThat(changes.take().progress()).isEqualTo(Json.tree(2));
  }
}
