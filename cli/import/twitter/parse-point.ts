import { create } from "@bufbuild/protobuf";
import { type Geo, GeoSchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { type Json, type JsonObject, numberText } from "../../json/json.ts";
import { Refusal } from "../../refusal.ts";
import { fieldOf, listOf, objectOf } from "./fields.ts";

/** A point, in the two orders of the contract. */
export interface Point {
  /** [latitude, longitude] */
  geo: Geo;
  /** [longitude, latitude] */
  coordinates: Geo;
}

/** Reads where a status was written: from `coordinates` where that is there, else from `geo`. */
export function parsePoint(status: JsonObject): Point | undefined {
  const lonLat = pairOf(status, "coordinates");
  if (lonLat) return point(...lonLat);
  const latLon = pairOf(status, "geo");
  return latLon && point(latLon[1], latLon[0]);
}

function pairOf(status: JsonObject, name: "coordinates" | "geo"): [number, number] | undefined {
  const place = objectOf(status, name);
  if (place === undefined) return undefined;
  const pair = listOf(place, "coordinates");
  const [first, second] = [degrees(pair[0]), degrees(pair[1])];
  if (fieldOf(place, "type") !== "Point" || pair.length !== 2 || first === undefined || second === undefined) {
    throw new Refusal(`${name} is not a point of two numbers`);
  }
  const [lon, lat] = name === "coordinates" ? [first, second] : [second, first];
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) throw new Refusal(`${name} is not on the globe`);
  return [first, second];
}

function degrees(value: Json | undefined): number | undefined {
  const text = numberText(value);
  return text === undefined ? undefined : Number(text);
}

function point(lon: number, lat: number): Point {
  return {
    geo: create(GeoSchema, { type: "Point", coordinates: [lat, lon] }),
    coordinates: create(GeoSchema, { type: "Point", coordinates: [lon, lat] }),
  };
}
