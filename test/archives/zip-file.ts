import { crc32, deflateRawSync } from "node:zlib";

/** A file in a zip. Fields other than name, data and `stored` replace the right value in its header. */
export interface ZipMember {
  name: string;
  data: string | Uint8Array;
  stored?: boolean;
  crc?: number;
  size?: number;
  packedSize?: number;
  flags?: number;
  method?: number;
  mode?: number;
}

/** A zip file (APPNOTE 4.3) of these members. */
export function zipFile(members: ZipMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const data = Buffer.from(member.data as string);
    const packed = member.stored ? data : deflateRawSync(data);
    const name = Buffer.from(member.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(member.flags ?? 0x800, 2);
    common.writeUInt16LE(member.method ?? (member.stored ? 0 : 8), 4);
    common.writeUInt32LE((member.crc ?? crc32(data)) >>> 0, 10);
    common.writeUInt32LE(member.packedSize ?? packed.length, 14);
    common.writeUInt32LE(member.size ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((member.mode ?? 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, rest, name]));
    parts.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  // As macOS does, which writes no Zip64.
  end.writeUInt16LE(members.length % 65_536, 8);
  end.writeUInt16LE(members.length % 65_536, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
