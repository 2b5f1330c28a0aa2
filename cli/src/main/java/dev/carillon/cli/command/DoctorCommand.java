package dev.carillon.cli.command;

import dev.carillon.cli.doctor.Doctor;
import dev.carillon.cli.doctor.Finding;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.session.Session;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code carillon doctor}: finds faults, and names remedies. */
@Command(
    name = "doctor",
    description = {
      "Checks the API, credentials, clock, ticks, queues and schedules, and names remedies.",
      "The exit code is 1 if something is wrong."
    })
public final class DoctorCommand implements Callable<Integer> {

  private static final Table<Finding> TABLE =
      Table.of("CHECK", Finding::check)
          .state("RESULT", Finding::result)
          .column("DETAIL", Finding::detail)
          .wide("REMEDY", Finding::remedy);

  private final Session session;

  public DoctorCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Doctor doctor =
        new Doctor(
            session::client,
            session.namespaceName(),
            session.world().clock(),
            session.world().terminal()::pause);
    List<Finding> findings = doctor.examine();
    session.printer().list(findings, TABLE);
    List<Finding> wrong = findings.stream().filter(Finding::isWrong).toList();
    wrong.forEach(it -> session.note(it.check() + ": " + it.detail() + "\n  " + it.remedy()));
    return wrong.isEmpty() ? 0 : 1;
  }
}
