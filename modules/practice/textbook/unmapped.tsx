import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Empty, Radio, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { mapChapters, unmappedChapters } from './calls.ts'
import { useReloadChapters } from './use-chapters.tsx'

/** Chapters of a book that teach nothing yet, with what their names suggest; what looks right is taken over at once. */
export function Unmapped({ bookId, mayEdit, onOpen }: { bookId: number; mayEdit: boolean; onOpen: (id: number) => void }) {
  const { message } = App.useApp()
  const reload = useReloadChapters()
  const [chosen, setChosen] = useState<ReadonlyMap<number, number>>(new Map())
  const [off, setOff] = useState<readonly number[]>([])
  const [busy, setBusy] = useState(false)
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['unmapped-chapters', bookId], queryFn: ({ signal }) => call(unmappedChapters, { partwork_id: String(bookId) }, { signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  const pick = (id: number, first: number | undefined) => (off.includes(id) ? undefined : chosen.get(id) ?? first)
  const pairs = data.items.flatMap(({ id, suggested }) => {
    const label = pick(id, suggested[0]?.id)
    return label === undefined ? [] : [{ chapter_id: id, label_id: label }]
  })
  const take = async () => {
    setBusy(true)
    try {
      const { count } = await call(mapChapters, { pairs })
      void message.success(`已对应 ${count} 个章节`)
      setChosen(new Map())
      setOff([])
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
      await reload()
    }
  }
  if (data.items.length === 0) return <Empty description="本册的章节都已对应知识点，选择左侧章节可以查看和修改" />
  return (
    <div className="chapter-labels">
      <Space wrap><b>{data.total} 个章节还没有对应知识点</b>{mayEdit && <Button type="primary" size="small" disabled={pairs.length === 0} loading={busy} onClick={() => void take()}>采用勾选的 {pairs.length} 个建议</Button>}</Space>
      <ul className="unmapped">
        {data.items.map(({ id, name, above, suggested }) => (
          <li key={id}>
            <div className="unmapped-name"><button type="button" onClick={() => onOpen(id)}>{name}</button><small>{above.join(' › ')}</small></div>
            {suggested.length === 0 ? <span className="note">没有名称相近的知识点，请手动选择</span> : (
              <div className="suggested">
                {mayEdit && <Checkbox aria-label={`采用 ${name} 的建议`} checked={!off.includes(id)} onChange={({ target }) => setOff(target.checked ? off.filter((one) => one !== id) : [...off, id])} />}
                <Radio.Group size="small" disabled={!mayEdit || off.includes(id)} aria-label={`${name} 的建议`} value={pick(id, suggested[0]?.id) ?? null} onChange={({ target }) => setChosen(new Map(chosen).set(id, target.value as number))}
                  options={suggested.map((label) => ({ value: label.id, label: <span title={[...label.above, label.name].join(' › ')}>{label.name}</span> }))} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
