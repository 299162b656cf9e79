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

/** A member of a tar; `size` may differ from the data's. */
export interface TarMember {
  name: string;
  data?: string;
  type?: string;
  size?: number;
}

/** A tar file (POSIX ustar, or the form before POSIX where `magic` is "") with its two blocks of zeros. */
export function tarFile(members: TarMember[], end = true, magic = "ustar\x0000"): Buffer {
  const blocks = members.flatMap(({ name, data = "", type = "0", size }) => {
    const content = Buffer.from(data);
    return [
      tarHeader(name, type, size ?? content.length, magic),
      content,
      Buffer.alloc((512 - (content.length % 512)) % 512),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(end ? 1024 : 0)]);
}

function tarHeader(name: string, type: string, size: number, magic: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write("0000644\0", 100);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("        ", 148);
  block.write(type, 156);
  block.write(magic, 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
