package dev.carillon.campaign;

import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckJson.Parsed;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slots;
import dev.carillon.runtime.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Functions that mistake what a newer version of them has sent or stored. */
final class FaultyVersions {

  private FaultyVersions() {}

  /** What the checker does not know of a message is acknowledged with the rest. */
  static final class UnknownAcknowledged implements Tampering {

    @Override
    public Set<String> check(CheckMessages messages, List<Message> batch, Deadline deadline) {
      List<Message> known = new ArrayList<>();
      for (Message message : batch) {
        addKnown(message, known);
      }
      return messages.handle(known, deadline);
    }

    private static void addKnown(Message message, List<Message> known) {
      Parsed parsed;
      try {
        parsed = CheckJson.read(message.body());
      } catch (IllegalArgumentException unknown) {
        return;
      }
      if (!parsed.known().subjects().isEmpty()) {
        String body = CheckJson.write(parsed.known());
        known.add(new Message(message.messageId(), body, message.receives()));
      }
    }
  }

  /** Ingest refuses a message with a member that it does not know. */
  static final class UnknownMemberRefused implements Tampering {

    @Override
    public String received(FunctionName function, String body) {
      return function == FunctionName.INGEST && body.contains("\"sentBy\"") ? "{}" : body;
    }
  }

  /** The slots that a newer version has stored elsewhere count as none. */
  static final class SlotsNotFound implements Tampering {

    @Override
    public Object ofNewerVersion(Object row) {
      return row instanceof Gate gate
          ? new Gate(
              gate.key(),
              gate.version(),
              Slots.NONE,
              gate.past(),
              gate.waiters(),
              gate.wakeup(),
              gate.gauge(),
              gate.demands())
          : row;
    }
  }
}
