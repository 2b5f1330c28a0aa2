/**
 * The stores on DynamoDB. No other package knows tables, keys and items. It implements ports with
 * the SDK's Enhanced Client, whose schemas make records with generated builders.
 */
@RecordBuilder.Include({
  CollectingJob.class,
  CollectingJobItem.Seen.class,
  CollectingJobItem.StoredSlice.class,
  App.class,
  App.Lease.class,
  AttentionItem.class,
  PoolActivities.Stored.class,
  Backfill.class,
  Backfill.Order.class,
  Callback.class,
  Definition.class,
  Delivery.class,
  EventKeyItem.class,
  Gate.class,
  Remembered.class,
  Gauge.class,
  Head.class,
  Job.class,
  Origin.class,
  Life.class,
  ListedJob.class,
  GateTicket.class,
  Precedence.class,
  StatusItem.class,
  StoredCalendar.class,
  StoredPool.class,
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
import dev.carillon.gate.Remembered;
import dev.carillon.constraint.Gauge;
import dev.carillon.gate.GateTicket;
import dev.carillon.job.Callback;
import dev.carillon.job.Delivery;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Origin;
import dev.carillon.job.Precedence;
import dev.carillon.pool.StoredPool;
import dev.carillon.timer.Timer;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.SuspendedBy;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.NullMarked;
