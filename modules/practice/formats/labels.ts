/** Paths of labels as files write them: "代数->函数->单调性", "代数/函数", lists of them. */

const ARROWS = /\s*(?:->|→|=>|＞|>|»|::|\\|\/(?!\d))\s*/
const SEPARATORS = /\s*[,，;；|\n]\s*/

/** The name of a label that is a record of its own. */
const nameOf = (value: unknown) => (typeof value === 'object' && value !== null ? String(Object.entries(value).find(([key, one]) => /^(?:path|route|full_?name|name|title|label|text|knowledge(?:_?name)?|名称)$/i.test(key) && typeof one === 'string')?.[1] ?? '') : String(value))

/** Every label with its way from the root; a plain name is a way of one. */
export function splitLabels(values: readonly unknown[]): string[][] {
  const texts = values.flatMap((value): string[] => (Array.isArray(value) ? value.flatMap((one) => (Array.isArray(one) ? [one.map(nameOf).join('->')] : [nameOf(one)])) : typeof value === 'object' && value !== null ? [nameOf(value)] : typeof value === 'string' || typeof value === 'number' ? String(value).split(SEPARATORS) : []))
  const paths = texts.map((text) => text.split(ARROWS).map((name) => name.trim().slice(0, 100)).filter((name) => name !== '').slice(0, 8)).filter((path) => path.length > 0)
  return [...new Map(paths.map((path) => [path.join('\n'), path])).values()].slice(0, 20)
}

