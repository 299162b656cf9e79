import { unknownLanguage } from "../../http/errors/catalog.ts";
import { type Asset, makeAsset } from "../../http/replies/asset.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { csharpClasses } from "./csharp.ts";
import { dataClasses } from "./data-classes.ts";
import { typeScriptClasses } from "./typescript.ts";

/** The classes of the operations in a language, for a client of the gateway at an origin. @throws PublicError 404 for a language that is not served */
export type TypesPages = (language: string, origin: string) => Asset;

/** Makes the pages that ServiceStack's `x LANGUAGE URL` and `get-dtos LANGUAGE URL` save. */
export function createTypesPages(operations: readonly Operation[], commentOf: CommentOf): TypesPages {
  const classes = dataClasses(operations, commentOf);
  const texts = new Map([
    ["typescript", typeScriptClasses(classes)],
    ["csharp", csharpClasses(classes)],
  ]);
  return (language, origin) => {
    const text = texts.get(language.toLowerCase());
    if (text === undefined) throw unknownLanguage();
    return makeAsset("text/plain; charset=utf-8", `${header(origin)}\n${text}`);
  };
}

// ServiceStack's tools recognize classes by this beginning, and update them from the URL.
function header(origin: string): string {
  return `/* Options:\nVersion: 1\nBaseUrl: ${origin}\n*/\n`;
}
