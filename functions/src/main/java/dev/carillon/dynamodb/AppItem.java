package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Forms.TEXTS;
import static dev.carillon.dynamodb.Schema.unlessDefault;

import dev.carillon.app.App;
import dev.carillon.app.App.Lease;
import dev.carillon.id.AppId;
import java.util.List;
import java.util.TreeSet;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/** An app as an item of the table of schedules, under a key that no schedule can have. */
final class AppItem {

  static final String VERSION = "version";
  private static final String INFIX = "/apps/";

  static final TableSchema<AppId> KEY =
      Schema.ofKey(
          AppId.class, "schedule", AppItem::partition, "item", id -> "app", (key, item) -> id(key));

  private static final TableSchema<Lease> LEASE =
      Schema.of(
              Lease.class, AppLeaseBuilder.class, AppLeaseBuilder::builder, AppLeaseBuilder::build)
          .with("leaseBy", TEXT, Lease::by, AppLeaseBuilder::by)
          .with("leaseSince", MILLIS, Lease::since, AppLeaseBuilder::since)
          .with("leaseUntil", MILLIS, Lease::until, AppLeaseBuilder::until)
          .build();

  static final TableSchema<App> SCHEMA =
      Schema.of(
              App.class,
              AppBuilder.class,
              () ->
                  AppBuilder.builder()
                      .programs(List.of())
                      .schedules(new TreeSet<>())
                      .claimed(new TreeSet<>()),
              AppBuilder::build)
          .flat(KEY, App::id, AppBuilder::id)
          .with(VERSION, NUMBER, App::version, AppBuilder::version)
          .optional("programs", TEXTS, App::programs, AppBuilder::programs)
          .optional(
              "schedules",
              TEXTS,
              app -> List.copyOf(app.schedules()),
              (app, names) -> app.schedules(new TreeSet<>(names)))
          .optional(
              "claimed",
              TEXTS,
              app -> unlessDefault(List.of(), List.copyOf(app.claimed())),
              (app, names) -> app.claimed(new TreeSet<>(names)))
          .optional("deployedAt", MILLIS, App::deployedAt, AppBuilder::deployedAt)
          .optional("deployedBy", TEXT, App::deployedBy, AppBuilder::deployedBy)
          .flat(LEASE, App::deploying, AppBuilder::deploying)
          .build();

  private AppItem() {}

  /** The partition key of the app's items; no schedule has it. */
  static String partition(AppId id) {
    return id.namespace() + INFIX + id.name();
  }

  static AppId id(String key) {
    int infix = key.indexOf(INFIX);
    return new AppId(key.substring(0, infix), key.substring(infix + INFIX.length()));
  }
}
