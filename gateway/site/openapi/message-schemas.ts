import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { compileFills, publicFields, publicName } from "../../rendering/public-fields.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { fieldSchema, isAlwaysWritten, type Schema } from "./field-schema.ts";

/** The schemas of messages, each made when it is first referred to. */
export class MessageSchemas {
  readonly #commentOf: CommentOf;
  readonly #requests: ReadonlySet<DescMessage>;
  readonly #names = new Map<DescMessage, string>();
  /** For `components.schemas`. */
  readonly schemas: Record<string, Schema> = {};

  /** @param requests the messages that clients send: they may leave out any field */
  constructor(commentOf: CommentOf, requests: ReadonlySet<DescMessage>) {
    this.#commentOf = commentOf;
    this.#requests = requests;
  }

  /** A reference to a message's schema. */
  readonly refTo = (message: DescMessage): Schema => {
    const name = this.#names.get(message) ?? this.#add(message);
    return { $ref: `#/components/schemas/${name}` };
  };

  /** The schema of one field, with its comment. */
  describedField(field: DescField): Schema {
    const description = this.#commentOf(field);
    return { ...fieldSchema(field, this.refTo), ...(description === "" ? {} : { description }) };
  }

  #add(message: DescMessage): string {
    // Two packages may have messages of one name.
    const name = message.name in this.schemas ? message.typeName : message.name;
    this.#names.set(message, name);
    const schema: Schema = {};
    this.schemas[name] = schema;
    Object.assign(schema, this.#objectSchema(message));
    return name;
  }

  #objectSchema(message: DescMessage): Schema {
    const fields = publicFields(message);
    const filled = new Map(compileFills(message).map(({ list, target }) => [list, publicName(target)]));
    const properties = fields.map((field) => {
      const schema = this.describedField(field);
      const target = filled.get(field);
      return [publicName(field), target === undefined ? schema : withRequiredItems(schema, target)];
    });
    const required = this.#requests.has(message) ? [] : fields.filter(isAlwaysWritten).map(publicName);
    return {
      type: "object",
      description: this.#commentOf(message),
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    };
  }
}

function withRequiredItems(list: Schema, name: string): Schema {
  return { ...list, items: { allOf: [list.items, { type: "object", required: [name] }] } };
}
