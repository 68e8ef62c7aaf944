import { useEffect } from 'react'
import { Problems } from '../../../core/form/problems.tsx'

/** Where a place stands that is called otherwise in the form: the answer is marked at the options, typed into blanks, or written. */
const CALLED: Readonly<Record<string, string>> = {
  答案: '[aria-label$="参考答案"], [aria-label$="各空答案"], [aria-label$="选项"], [aria-label="判断答案"]', 解析: '[aria-label$="详解"]', 小题: '.edit-child', 标签: '[aria-label*="知识点"]', 分值: '[aria-label$="分值"]',
}

/** The part of the form that a place of a question means: by the name that it is read out with. */
function findPart(place: string): Element | undefined {
  const form = document.querySelector('.kept-frame:not([data-behind]) .edit')
  const named = [...form?.querySelectorAll('[aria-label]') ?? []].find((part) => part.getAttribute('aria-label')?.replaceAll(' ', '').startsWith(place))
  return named ?? form?.querySelector(CALLED[place] ?? ':not(*)') ?? undefined
}

function goTo(place: string): void {
  const part = findPart(place)
  part?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  if (part instanceof HTMLElement) part.focus({ preventScroll: true })
}

/** Everything that keeps a question from being submitted: listed with ways there, marked in the form, the first one in sight. */
export function Faults({ faults }: { faults: Readonly<Record<string, string>> }) {
  useEffect(() => {
    const [first] = Object.keys(faults)
    if (first !== undefined) goTo(first)
    const marked = Object.keys(faults).flatMap((place) => findPart(place)?.parentElement ?? [])
    for (const part of marked) part.setAttribute('data-wrong', '')
    return () => { for (const part of marked) part.removeAttribute('data-wrong') }
  }, [faults])
  const fields = Object.entries(faults).map(([place, text]) => ({ name: place, label: place, text: text.replace(`${place}：`, '') }))
  return fields.length === 0 ? null : <Problems title={`还不能提交：${fields[0]?.text ?? ''}`} fields={fields} onGo={goTo} />
}
