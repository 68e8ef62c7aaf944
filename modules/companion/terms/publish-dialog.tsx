import { useQuery } from '@tanstack/react-query'
import { Alert, Modal, Skeleton } from 'antd'
import { call } from '../../../core/endpoint/call.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { useSend } from '../../user/door.tsx'
import { packEndpoints } from '../calls.ts'
import type { Companion } from '../companion.ts'
import type { Difference } from '../pack-term.ts'

/** Names that a line spells out. */
const NAMED = 6

function Lines({ label, of: { added, changed, removed } }: { label: string; of: Difference }) {
  const said = [['新增', added], ['修改', changed], ['移除', removed]] as const
  return <>{said.map(([word, names]) => (names.length === 0 ? null : <li key={word}>{label}{word} {names.length} 项：{names.slice(0, NAMED).join('、')}{names.length > NAMED ? ' 等' : ''}</li>))}</>
}

/** 发布新版本: what changes, and who stays with which version, before it is done. */
export function PublishDialog({ companion, pack, onClose, onDone }: { companion: Companion; pack: { id: number; name: string }; onClose: () => void; onDone: () => void }) {
  const calls = packEndpoints(companion.packs)
  const said = useSaid()
  const { busy, problem, send } = useSend()
  const { data, error } = useQuery({ queryKey: ['publication', companion.kind.value, pack.id], gcTime: 0, queryFn: ({ signal }) => call(calls.publication, undefined, { params: { id: pack.id }, signal, quiet: true }) })
  const changes = data ? [data.items, data.terms].flatMap(({ added, changed, removed }) => [...added, ...changed, ...removed]).length : 0
  const submit = () => send(async () => {
    const row = await call(calls.publish, undefined, { params: { id: pack.id }, quiet: true })
    said({ words: `已发布第 ${String(row['version'])} 版` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`发布新版本 · ${pack.name}`} okText={`发布第 ${(data?.version ?? 0) + 1} 版`} okButtonProps={{ disabled: changes === 0 && data?.version !== 0 }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      {error && <Alert type="error" showIcon title={error.message} />}
      {!data ? !error && <Skeleton active /> : <>
        {changes === 0 ? <p>和第 {data.version} 版相比没有变化，不需要发布。</p> : <ul className="term-changes"><Lines label="内容" of={data.items} /><Lines label="词条" of={data.terms} /></ul>}
        <h4>谁留在原版本</h4>
        {data.stays.length === 0 ? <p className="note">没有进行中的任务，新任务都用新版本。</p> : <ul className="term-changes">{data.stays.map(({ version, tasks, students }) => <li key={version}>第 {version} 版：{tasks} 个进行中的任务，{students} 名学生，继续用这一版</li>)}</ul>}
      </>}
    </Modal>
  )
}
