package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Fault;
import dev.carillon.template.Template;
import dev.carillon.template.Template.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateFaultsTest {

  @Test
  void everyFaultIsFoundWithItsPointer() {
    Template template =
        new Template(
            Launch.json(
                "{\"a/b\":[\"ok\",\"${startOfDays} ${oops}\"],\"c~d\":{\"e\":\"x ${jobId\"},"
                    + "\"fine\":\"$${nothing} ${jobId}\",\"${keysAreLiteral}\":1}"));

    assertThat(template.faults(Scope.LAUNCH))
        .extracting(Fault::pointer)
        .containsExactly("/a~1b/1", "/a~1b/1", "/c~0d/e");
  }

  @Test
  void anUnknownVariableIsNamedAndTheKnownOnesAreListed() {
    assertThat(Template.ofText("${startOfDays}").faults(Scope.LAUNCH))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEmpty();
              assertThat(fault.detail())
                  .startsWith(
                      "the variable ${startOfDays} is unknown; the known variables are attempt, customer,")
                  .contains(
                      "startOfDay,", "yesterdaysDate", "properties.NAME", "events[i].payload.PATH");
            });
  }

  @Test
  void aVariableWithoutItsEndIsNamed() {
    assertThat(Template.ofText("until ${jobId and on").faults(Scope.LAUNCH))
        .extracting(Fault::detail)
        .containsExactly(
            "the variable ${jobId and on is not closed; add } after its name, or write $${ for a"
                + " literal ${");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${endOfPreviousDay}${processTime}${startOfDay}${startOfDayOneWeekAgo}${startOfHour}",
        "${startOfPreviousDay}${todaysDate}${yesterdaysDate}",
        "${jobId}${attempt}${namespace}${schedule}${program}${customer}${priority}",
        "${scheduledFor}${previousScheduledFor}${triggeredAt}${trigger}",
        "${properties}${properties.x}${properties.x.y[0].z}",
        "${payload}${payload.x}${payload[0]}${payload.detail-type}",
        "${events[0].id}${events[-1].timestamp}${events[12].eventType}${events[0].payload}",
        "${events[-2].payload.a[0].b}${events[0].payload[1]}",
        "$5 {} } $ $$ $${x}",
      })
  void validVariables(String text) {
    assertThat(Template.ofText(text).faults(Scope.LAUNCH)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${}",
        "${ jobId}",
        "${JobId}",
        "${jobId.x}",
        "${trigger.leaves}",
        "${properties.}",
        "${properties[0]}",
        "${properties..x}",
        "${propertiesx}",
        "${payload.}",
        "${payload[x]}",
        "${payload[0}",
        "${events}",
        "${events[0]}",
        "${events.id}",
        "${events[x].id}",
        "${events[0].ids}",
        "${events[0].id.x}",
        "${events[0][1]}",
        "${a${jobId}}",
      })
  void invalidVariables(String text) {
    assertThat(Template.ofText(text).faults(Scope.LAUNCH)).hasSize(1);
  }

  @Test
  void customerAndPriorityAreUnknownWhileTheyAreResolved() {
    assertThat(Template.ofText("${customer}${priority}${events[0].id}").faults(Scope.TRIGGER))
        .hasSize(2)
        .allSatisfy(fault -> assertThat(fault.detail()).doesNotContain(" customer,"));
  }

  @Test
  void aTextTemplateRefusesCharactersThatSqsRefusesButJsonEscapesThem() {
    assertThat(Template.ofText("a\u0001").faults(Scope.LAUNCH))
        .extracting(Fault::detail)
        .containsExactly("contains the character U+0001, which SQS does not accept; remove it");
    assertThat(new Template(Launch.json("[\"\\u0001\"]")).faults(Scope.LAUNCH)).isEmpty();
  }
}
