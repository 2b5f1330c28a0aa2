package dev.carillon.client.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The keyword for a schedule's last launch. It can stand in place of a trigger. */
final class LastLaunch {

  private static final String WORD = "lastLaunch";

  private LastLaunch() {}

  /** Writes the keyword. */
  static final class Writer extends StdSerializer<Object> {

    private static final long serialVersionUID = 1L;

    Writer() {
      super(Object.class);
    }

    @Override
    public void serialize(
        @Nullable Object none, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      generator.writeString(WORD);
    }
  }

  /** Reads a trigger; null for the keyword. */
  static final class Reader extends StdDeserializer<Trigger> {

    private static final long serialVersionUID = 1L;

    Reader() {
      super(Trigger.class);
    }

    /** The method is overridden because a string carries no type information. */
    @Override
    public @Nullable Object deserializeWithType(
        JsonParser parser, DeserializationContext context, TypeDeserializer typed)
        throws IOException {
      return deserialize(parser, context);
    }

    @Override
    public @Nullable Trigger deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (parser.currentToken() == JsonToken.VALUE_STRING) {
        String text = parser.getText();
        if (!text.equals(WORD)) {
          throw context.weirdStringException(
              text, Trigger.class, "only \"" + WORD + "\" is allowed");
        }
        return null;
      }
      return context.readValue(parser, Trigger.class);
    }
  }
}
