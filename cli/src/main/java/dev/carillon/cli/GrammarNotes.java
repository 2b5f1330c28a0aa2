package dev.carillon.cli;

/**
 * The notes that {@link Grammar} reads. They are a class, because opening the jar to read a file
 * takes a tenth of the time of a call. A test generates the class from the annotations and compares
 * it.
 */
final class GrammarNotes {

  static final String TEXT =
      """

      carillon
       --url url
       --stack stack
       --region region
       --profile profile
       --context context
       -n,--namespace namespace
       -o,--output format
       --utc utc
       --verbose verbose
      schedules backfill
       0 name required
       --from from required
       --to to default=now
       --concurrency concurrency default=1
       --dry-run dryRun
       --confirm confirm
       --wait wait
      schedules delete
       0..* 0 arity=1..* of=java.lang.String required
       --yes 1
      schedules explain
       0 0 required
      schedules launch
       0 0 required
       within 1
       --payload payload
       --property properties of=java.lang.String,java.lang.String
       --customer customer
       --priority priority
       --ignore-constraints ignoreConstraints
      schedules list
       within 0
       --app app
       --program program
       --state state
       --tag tag
       --event-key eventKey
       --trigger-type triggerType
       --broken broken
       within 1
       --limit limit default=100
      schedules preview
       0 0 required
       --from 1
       --count 2 default=10
      schedules resume
       0 0 required
      schedules show
       0 0 required
      schedules skip
       0 0 required
      schedules suspend
       0 0 required
       --mode 1 default=DISCARD
       --reason 2
       --until 3
      backfills cancel
       0 0 required
       1 1 required
      backfills show
       0 0 required
       1 1 required
      jobs cancel
       0..* 0 arity=0..* of=java.lang.String
       within 1
       --schedule schedule
       --program program
       --link link
       --state state
       --dry-run dryRun
       --yes yes
      jobs explain
       0 0 required
      jobs list
       0 0 arity=0..1
       --program 1
       --state 2
       --customer 3
       --link 4
       within 5
       --limit limit default=100
      jobs retry
       0..* 0 arity=0..* of=java.lang.String
       within 1
       --schedule schedule
       --program program
       --link link
       --state state
       --dry-run dryRun
       --yes yes
      jobs show
       0 0 required
      jobs watch
       0 0 required
      programs delete
       0 0 required
       --yes 1
      programs jobs
       0 0 required
       --state 1
       within 2
       --limit limit default=100
      programs list
      programs show
       0 0 required
      apps delete
       0 0 required
       --yes 1
      apps deploy
       0 0 required
       1 1 required
       --keep-schedules 2
       --dry-run 3
       --yes 4
      apps show
       0 0 required
      calendars delete
       0 0 required
       --yes 1
      calendars list
       within 0
       --limit limit default=100
      calendars put
       0 0 required
       1 1 required
      calendars show
       0 0 required
      resources delete
       0 0 required
       --yes 1
      resources list
       within 0
       --limit limit default=100
      resources put
       0 0 required
       1 1 required
       --ttl 2
      resources show
       0 0 required
      pools delete
       0 0 required
       --yes 1
      pools list
       within 0
       --limit limit default=100
      pools pause
       0 0 required
       --reason 1
      pools put
       0 0 required
       1 1 required
      pools resume
       0 0 required
      pools show
       0 0 required
      events send
       0 0 arity=0..1
       --type 1
       --payload 2
       --id 3
      simulate
       0 file required
      apply
       --dry-run dryRun
       --yes yes
       within sources
       -f,--file files arity=1..* of=java.nio.file.Path required
       --prune prune
       --app app
      diff
       within sources
       -f,--file files arity=1..* of=java.nio.file.Path required
       --prune prune
       --app app
      import
       0 kind required
       1..* files arity=1..* of=java.nio.file.Path required
       --apply apply
       --yes yes
       --partial partial
       --queue queue
       --zone zone
       --system system
      export
       0..* namespaces arity=0..* of=java.lang.String
      status
       --watch watch
      doctor
      console
       --open open
      context list
      context show
       0 0 arity=0..1
      context use
       0 0 required
      """;

  private GrammarNotes() {}
}
