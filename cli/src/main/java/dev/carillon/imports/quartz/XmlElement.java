package dev.carillon.imports.quartz;

import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** An element of an XML document, without attributes and name spaces. */
record XmlElement(String name, Place place, List<XmlElement> children, StringBuilder content) {

  private static final int DEEPEST = 50;

  /** Reads a document; document types and entities are refused. */
  static XmlElement read(Source source) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(source.text()));
      reader.nextTag();
      return element(reader, source, 0);
    } catch (XMLStreamException invalid) {
      int line = invalid.getLocation() == null ? 1 : invalid.getLocation().getLineNumber();
      String why = String.valueOf(invalid.getMessage()).replaceAll("(?s).*Message: ", "");
      throw new UnreadableSource(source.at(Math.max(1, line)), why.replaceAll("\\s+", " "));
    }
  }

  private static XmlElement element(XMLStreamReader reader, Source source, int depth)
      throws XMLStreamException {
    Place place = source.at(reader.getLocation().getLineNumber());
    if (depth > DEEPEST) {
      throw new UnreadableSource(place, "elements are nested more than " + DEEPEST + " deep");
    }
    XmlElement element =
        new XmlElement(reader.getLocalName(), place, new ArrayList<>(), new StringBuilder());
    for (int event = reader.next();
        event != XMLStreamConstants.END_ELEMENT;
        event = reader.next()) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        element.children.add(element(reader, source, depth + 1));
      } else if (event == XMLStreamConstants.ENTITY_REFERENCE) {
        throw new UnreadableSource(place, "entities are not supported; write the text itself");
      } else if (reader.hasText() && event != XMLStreamConstants.COMMENT) {
        element.content.append(reader.getText());
      }
    }
    return element;
  }

  /** The children of a name. */
  List<XmlElement> all(String child) {
    return children.stream().filter(it -> it.name.equals(child)).toList();
  }

  /** The text of the first child of a name; null if there is none. */
  @Nullable String text(String child) {
    return all(child).stream().findFirst().map(XmlElement::text).orElse(null);
  }

  String text() {
    return content.toString().strip();
  }
}
