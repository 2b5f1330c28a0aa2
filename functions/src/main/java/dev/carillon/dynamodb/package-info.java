/**
 * The stores on DynamoDB: the only place that knows tables, keys and items. Implements the ports of
 * the packages above by the SDK's Enhanced Client, whose schemas make records with generated
 * builders.
 */
@RecordBuilder.Include({
  CollectingJob.class,
  CollectingJobRow.Seen.class,
  CollectingJobRow.StoredSlice.class,
  App.class,
  App.Lease.class,
  AttentionRow.class,
  Backfill.class,
  Backfill.Order.class,
  Definition.class,
  Delivery.class,
  EventKeyRow.class,
  Gate.class,
  GatedRow.Gated.class,
  Gauge.class,
  Head.class,
  Job.class,
  Origin.class,
  Life.class,
  GateTicket.class,
  Precedence.class,
  StatusRow.class,
  StoredCalendar.class,
  SuspendedBy.class,
  Timer.class
})
@NullMarked
@RecordBuilder.Options(enableWither = false, publicBuilderConstructors = true)
package dev.carillon.dynamodb;

import dev.carillon.app.App;
import dev.carillon.backfill.Backfill;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.gate.Gate;
import dev.carillon.constraint.Gauge;
import dev.carillon.gate.GateTicket;
import dev.carillon.job.Delivery;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Origin;
import dev.carillon.job.Precedence;
import dev.carillon.timer.Timer;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.SuspendedBy;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.NullMarked;
