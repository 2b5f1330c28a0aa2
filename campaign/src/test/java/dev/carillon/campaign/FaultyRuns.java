package dev.carillon.campaign;

import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.event.IngestQueue;
import dev.carillon.gate.Gate;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.job.Delivery;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.JobChange;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Wait;
import dev.carillon.run.Run;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Functions that mistake the runs of tracked jobs. */
final class FaultyRuns {

  private FaultyRuns() {}

  // ---- what the api reads

  /** The api reads requests as others. */
  static Tampering received(Pattern pattern, String instead) {
    return new Tampering() {
      @Override
      public String received(FunctionName function, String body) {
        return function == FunctionName.API ? pattern.matcher(body).replaceAll(instead) : body;
      }
    };
  }

  /** Each document allows one attempt more. */
  static Tampering withOneAttemptMore() {
    Pattern attempts = Pattern.compile("\"maxAttempts\": (\\d+)");
    return new Tampering() {
      @Override
      public String received(FunctionName function, String body) {
        return attempts
            .matcher(body)
            .replaceAll(found -> "\"maxAttempts\": " + (Integer.parseInt(found.group(1)) + 1));
      }
    };
  }

  /** Reports of one kind are taken for those of the current claim of their job. */
  static final class StaleTokens implements Tampering {
    private static final Pattern TOKEN = Pattern.compile("\"claimToken\": \"([^\"]*)\"");
    private final String member;
    private final Set<FunctionName> functions;
    private final Map<String, JobId> jobs = new HashMap<>();
    private final Map<JobId, String> current = new HashMap<>();

    /**
     * @param member a member that only reports of the kind have
     */
    StaleTokens(String member) {
      this(member, Set.of(FunctionName.API));
    }

    /**
     * @param functions which receive reports so
     */
    StaleTokens(String member, Set<FunctionName> functions) {
      this.member = member;
      this.functions = functions;
    }

    @Override
    public Jobs jobs(FunctionName function, Jobs real) {
      return storing(
          real,
          (before, after) -> {
            if (after.claim() != null) {
              jobs.put(after.claim().token(), after.id());
              current.put(after.id(), after.claim().token());
            }
            return after;
          });
    }

    @Override
    public String received(FunctionName function, String body) {
      Matcher token = TOKEN.matcher(body);
      boolean isConcerned = functions.contains(function) && body.contains("\"" + member + "\"");
      if (!isConcerned || !token.find()) {
        return body;
      }
      String other = current.get(jobs.get(token.group(1)));
      return other == null ? body : body.replace(token.group(1), other);
    }
  }

  // ---- what is stored of a job

  /** Stores something else than what was decided. */
  private static Jobs storing(Jobs real, BinaryOperator<Job> change) {
    return updating(real, it -> new Update(it.before(), change.apply(it.before(), it.after())));
  }

  private static Jobs updating(Jobs real, UnaryOperator<Update> change) {
    return Around.of(Jobs.class, real)
        .replace(
            "update",
            arguments ->
                real.update(Around.<Update>list(arguments[0]).stream().map(change).toList()))
        .port();
  }

  /** As {@link #storing}, also where gates are stored with the job. */
  static Tampering storingEverywhere(BinaryOperator<Job> change) {
    return new Tampering() {
      @Override
      public Jobs jobs(FunctionName function, Jobs real) {
        return storing(real, change);
      }

      @Override
      public Gates gates(FunctionName function, Gates real) {
        return committing(
            real,
            step ->
                new Step(
                    step.jobs().stream().map(it -> changed(it, change)).toList(),
                    step.gates(),
                    step.joining(),
                    step.leaving()));
      }
    };
  }

  private static JobChange changed(JobChange given, BinaryOperator<Job> change) {
    Job before = given.before();
    return before == null ? given : new JobChange(before, change.apply(before, given.after()));
  }

  private static Gates committing(Gates real, UnaryOperator<Step> change) {
    return Around.of(Gates.class, real)
        .replace("commit", arguments -> real.commit(change.apply((Step) arguments[0])))
        .port();
  }

  private static Job with(Job job, JobState state, Delivery delivery, @Nullable Wait wait) {
    return new Job(
        job.id(),
        job.version(),
        state,
        job.origin(),
        job.precedence(),
        delivery,
        wait,
        job.triggerState(),
        job.ticket(),
        job.transitions());
  }

  static Job with(Job job, int attempt, Run run) {
    Delivery delivery =
        new Delivery(attempt, job.launchedAt(), job.delivery().refusals(), run, job.callback());
    return with(job, job.state(), delivery, job.waitsFor());
  }

  static boolean isRetried(Job before, Job after) {
    return after.state() == JobState.RETRY_WAIT && before.state() != JobState.RETRY_WAIT;
  }

  static Job withoutCount(Job before, Job after) {
    return isRetried(before, after) ? with(after, before.attempt(), after.run()) : after;
  }

  static Job concludedAtOnce(Job before, Job after) {
    return after.isConcluding() ? with(after, after.state(), after.delivery(), null) : after;
  }

  static Job withoutFinalReport(Job before, Job after) {
    Run run = after.run();
    return run == null || run.last() == null
        ? after
        : with(
            after,
            after.attempt(),
            new Run(
                run.policy(),
                run.place(),
                run.operations(),
                run.claim(),
                null,
                run.isCancelRequested(),
                run.progress(),
                run.output(),
                run.error()));
  }

  static Job withoutCancellation(Job before, Job after) {
    Run run = after.run();
    return run == null || !run.isCancelRequested()
        ? after
        : with(
            after,
            after.attempt(),
            new Run(
                run.policy(),
                run.place(),
                run.operations(),
                run.claim(),
                run.last(),
                false,
                run.progress(),
                run.output(),
                run.error()));
  }

  /** The time-out of a claim counts from its first report. */
  static Job withoutExtension(Job before, Job after) {
    boolean goesOn = before.state() == JobState.RUNNING && after.state() == JobState.RUNNING;
    return goesOn ? with(after, after.state(), after.delivery(), before.waitsFor()) : after;
  }

  /** A time-out overwrites what a worker has reported since the job was read. */
  static Jobs overwritingReports(Jobs real) {
    return updating(real, it -> isTimeout(it) ? present(real, it) : it);
  }

  private static boolean isTimeout(Update update) {
    return update.before().isRunning() && !update.after().isRunning();
  }

  private static Update present(Jobs real, Update update) {
    JobId id = update.after().id();
    return new Update(real.find(List.of(id)).getOrDefault(id, update.before()), update.after());
  }

  // ---- what is read of a job

  /** A claim meets jobs of some states as if they waited for a claim. */
  static final class ClaimingAnyway implements Tampering {
    private final Predicate<Job> claimed;

    /** What is stored, by what was shown instead. */
    private final Map<Job, Job> read = new HashMap<>();

    private boolean isClaim;

    ClaimingAnyway(Predicate<Job> claimed) {
      this.claimed = claimed;
    }

    @Override
    public String received(FunctionName function, String body) {
      isClaim = body.contains("\"worker\"");
      return body;
    }

    /** The first read follows its request at once. */
    @Override
    public Jobs jobs(FunctionName function, Jobs real) {
      if (function != FunctionName.API) {
        return real;
      }
      Jobs storing =
          updating(real, it -> new Update(read.getOrDefault(it.before(), it.before()), it.after()));
      return Around.of(Jobs.class, storing)
          .replace(
              "find",
              arguments -> {
                boolean isOfClaim = isClaim;
                isClaim = false;
                Map<JobId, Job> found = new HashMap<>(real.find(ids(arguments[0])));
                found.replaceAll((id, job) -> isOfClaim && claimed.test(job) ? shown(job) : job);
                return found;
              })
          .port();
    }

    private Job shown(Job job) {
      Job shown = unclaimed(job);
      read.put(shown, job);
      return shown;
    }

    private static Job unclaimed(Job job) {
      Delivery delivery =
          new Delivery(job.attempt(), job.launchedAt(), 0, job.run().unclaimed(), job.callback());
      return with(job, JobState.ENQUEUED, delivery, job.waitsFor());
    }
  }

  @SuppressWarnings("unchecked")
  private static Collection<JobId> ids(Object argument) {
    return (Collection<JobId>) argument;
  }

  static boolean isHeld(Job job) {
    return job.claim() != null && job.isRunning();
  }

  static boolean isOver(Job job) {
    return job.isEnded() && job.run() != null;
  }

  /** A job whose request is being sent cannot be claimed. */
  static Jobs hidingLaunches(Jobs real) {
    return Around.of(Jobs.class, real)
        .<Map<JobId, Job>>after(
            "find",
            found ->
                found.values().stream()
                    .map(FaultyRuns::waiting)
                    .collect(Collectors.toMap(Job::id, job -> job)))
        .port();
  }

  private static Job waiting(Job job) {
    return job.state() == JobState.PENDING_LAUNCH
        ? with(job, JobState.PENDING_CONSTRAINT, job.delivery(), job.waitsFor())
        : job;
  }

  // ---- messages

  static CheckQueue withoutRuns(CheckQueue real, Predicate<RunId> dropped) {
    return (checks, now) ->
        real.send(
            checks.stream()
                .map(
                    check ->
                        new Check(
                            check.due(),
                            check.subjects().stream()
                                .filter(it -> !(it instanceof RunId run) || !dropped.test(run))
                                .toList()))
                .filter(check -> !check.subjects().isEmpty())
                .toList(),
            now);
  }

  static IngestQueue withoutStarts(IngestQueue real) {
    return (bodies, delay) ->
        real.send(bodies.stream().filter(body -> !body.contains("\"STARTED\"")).toList(), delay);
  }

  /** Each time that a status is announced its event has another id. */
  static Tampering withOtherIds() {
    return new Tampering() {
      private int numbers;

      @Override
      public IngestQueue ingest(FunctionName function, IngestQueue real) {
        return (bodies, delay) ->
            real.send(
                bodies.stream()
                    .map(body -> body.replace("-SUCCEEDED\"", "-" + ++numbers + "\""))
                    .toList(),
                delay);
      }
    };
  }

  // ---- slots

  /** A job whose attempt has ended keeps its slots. */
  static Gates keepingSlots(Gates real) {
    return committing(
        real,
        step ->
            step.jobs().stream().anyMatch(FaultyRuns::leaves)
                ? new Step(step.jobs(), List.of(), step.joining(), step.leaving())
                : step);
  }

  private static boolean leaves(JobChange change) {
    Job before = change.before();
    return before != null && before.isRunning() && !change.after().isRunning();
  }

  /** A claim frees the slots of its job. */
  static Tampering freeingAtClaim() {
    return new Tampering() {
      private @Nullable Gates gates;

      @Override
      public Gates gates(FunctionName function, Gates real) {
        gates = real;
        return real;
      }

      @Override
      public Jobs jobs(FunctionName function, Jobs real) {
        return Around.of(Jobs.class, real)
            .replace(
                "update",
                arguments -> {
                  List<Update> updates = Around.list(arguments[0]);
                  List<Optional<Job>> answers = real.update(updates);
                  updates.stream()
                      .map(Update::after)
                      .filter(job -> job.state() == JobState.CLAIMED && job.ticket() != null)
                      .forEach(this::free);
                  return answers;
                })
            .port();
      }

      private void free(Job job) {
        gates
            .find(job.ticket().gates())
            .values()
            .forEach(
                gate -> {
                  Gate freed = gate.freed(job.id());
                  gates.commit(
                      new Step(List.of(), List.of(new Change(gate, freed)), List.of(), List.of()));
                });
      }
    };
  }
}
