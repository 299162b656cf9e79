import { getOption, hasOption } from "@bufbuild/protobuf";

/**
 * The value of an option of a descriptor. Where it is not set, the option's default: one value for all, which is not to be changed.
 * `getOption` compiles a message for each reading, also of what is not set, as most options are not.
 */
export const readOption: typeof getOption = (element, option) => {
  if (hasOption(element, option)) return getOption(element, option);
  if (!defaults.has(option)) defaults.set(option, getOption(element, option));
  return defaults.get(option) as ReturnType<typeof getOption<typeof option, typeof element>>;
};

const defaults = new Map<unknown, unknown>();
