package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.JobChange;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Jobs;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryGatesTest extends GatesContract {

  private final MemoryJobs jobs = new MemoryJobs(3);
  private final MemoryGates gates = new MemoryGates(jobs);

  @Override
  Gates gates() {
    return gates;
  }

  @Override
  Jobs jobs() {
    return jobs;
  }

  /** DynamoDB refuses such a transaction; DynamoDB Local does not. */
  @Test
  void aTransactionThatWritesAnItemTwiceIsRefused() {
    Gate gate = Gate.unused(GateKey.ofProgram("default", "exporter"));
    JobChange inserted = new JobChange(null, launching(1));
    Change changed = new Change(gate, gate.succeeded(NOW));
    Step twice = new Step(List.of(inserted, inserted), List.of(changed), List.of(), List.of());
    assertThatThrownBy(() -> gates.commit(twice)).isInstanceOf(IllegalArgumentException.class);
    assertThat(gates.find(List.of(gate.key()))).containsEntry(gate.key(), gate);
    assertThat(jobs.find(List.of(launching(1).id()))).isEmpty();
  }
}
