/** Why an archive is not read any further, in words that follow its name. Nothing of it is imported. */
export class ArchiveFault extends Error {
  override name = "ArchiveFault";
}
