/** A subject that a cover of the demo shows. */
export interface CoverSubject { id: number; name: string }

const COLOURS = ['#2f6fb5', '#2f8f6b', '#b5622f', '#7a4fb0', '#a8433f', '#3b7f8f', '#8a7a2c', '#5a6b7d']

/** A plain cover of the demo: the subject large on its colour. */
export function demoCover({ id, name }: CoverSubject): string {
  const colour = COLOURS[id % COLOURS.length] ?? ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320" viewBox="0 0 480 320"><rect width="480" height="320" fill="${colour}"/><path d="M0 240h480v80H0z" fill="#000" opacity=".12"/>
<g fill="#fff" font-family="SimHei, 'Heiti SC', 'Noto Sans CJK SC', sans-serif"><text x="40" y="150" font-size="84" font-weight="600">${name}</text><text x="40" y="290" font-size="28">道远课堂</text></g></svg>
`
}
