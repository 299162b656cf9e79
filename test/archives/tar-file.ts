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
      header(name, type, size ?? content.length, magic),
      content,
      Buffer.alloc((512 - (content.length % 512)) % 512),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(end ? 1024 : 0)]);
}

function header(name: string, type: string, size: number, magic: string): Buffer {
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
