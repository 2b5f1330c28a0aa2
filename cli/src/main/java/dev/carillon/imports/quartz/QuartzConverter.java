package dev.carillon.imports.quartz;

import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Converts the triggers of {@code jobs.xml}, and jobs that no trigger fires. */
public final class QuartzConverter implements Converter {

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Source source : sources) {
      XmlElement root = XmlElement.read(source);
      if (!root.name().equals("job-scheduling-data")) {
        throw new UnreadableSource(root.place(), "this is not job-scheduling-data of Quartz");
      }
      root.all("schedule").forEach(schedule -> outcomes.addAll(outcomes(schedule, how)));
    }
    return Outcomes.distinct(outcomes);
  }

  private static List<Outcome> outcomes(XmlElement schedule, Conversion how) {
    Map<String, XmlElement> jobs = new HashMap<>();
    schedule.all("job").forEach(job -> jobs.put(QuartzDocument.key(job, "name", "group"), job));
    List<Outcome> outcomes = new ArrayList<>();
    Set<String> fired = new HashSet<>();
    for (XmlElement trigger : schedule.all("trigger")) {
      for (XmlElement kind : trigger.children()) {
        String job = QuartzDocument.key(kind, "job-name", "job-group");
        fired.add(job);
        QuartzDocument document = new QuartzDocument(kind, jobs.get(job), job, how);
        outcomes.add(Outcomes.of(kind.place(), "trigger " + document.name(), document::ofTrigger));
      }
    }
    for (XmlElement job : schedule.all("job")) {
      String key = QuartzDocument.key(job, "name", "group");
      if (!fired.contains(key)) {
        QuartzDocument document = new QuartzDocument(job, job, key, how);
        outcomes.add(Outcomes.of(job.place(), "job " + key, document::ofJob));
      }
    }
    return outcomes;
  }
}
