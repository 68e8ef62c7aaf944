import { Segmented } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import { PACKS } from './row.ts'

/** 必刷试卷: the papers, and the packs that are sold of them. The address asks for packs; the list then has the address to itself. */
export function PaperScreen({ papers, packs, looks }: { papers: Resource; packs: Resource; looks: { papers: Presentation; packs: Presentation } }) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('show')
  const [shown, setShown] = useState(asked ?? 'paper')
  const [seen, setSeen] = useState(asked)
  if (asked !== seen) {
    setSeen(asked)
    if (asked) setShown(asked)
  }
  const show = (next: string) => {
    setShown(next)
    setSearch({})
  }
  return (
    <>
      <Segmented aria-label="试卷或题包" value={shown} onChange={show} options={[{ value: 'paper', label: '试卷' }, { value: PACKS, label: '题包' }]} />
      {shown === PACKS ? <ListPage key={PACKS} resource={packs} presentation={looks.packs} /> : <ListPage key="paper" resource={papers} presentation={looks.papers} />}
    </>
  )
}
