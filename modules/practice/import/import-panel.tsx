import { InboxOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Drawer, Select, Space, Steps, Upload } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { JobProgress } from '../../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../../core/job/use-job.tsx'
import { useSubjects } from '../ui/use-practice.tsx'
import { commitImport, getImport, startImport, undoImport, uploadImport, type ImportBatch } from './calls.ts'
import { EMPTY, ENDINGS, refusalOf } from './endings.ts'
import { CommonFacts } from './common-facts.tsx'
import { importHandovers } from './handover.ts'
import { ImportItems } from './import-items.tsx'
import { LabelDecisions } from './label-decisions.tsx'
import { MappingForm } from './mapping-form.tsx'
import './import.css'

interface Props {
  level: 0 | 1 | 2
  onClose: () => void
  /** Questions were written or taken back. */
  onChanged: () => void
}

const HANDOVERS = importHandovers.map((load) => lazy(load))
const STEPS = ['选文件', '解析', '预览和查重', '入库']

/** Chooses the file and the subject of questions that name none. */
function ChooseFile({ level, onStarted }: { level: 0 | 1 | 2; onStarted: (batch: { id: number; job_id: number }) => void }) {
  const subjects = useSubjects(level)
  const [subject, setSubject] = useState<number>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ name: string; why: string }>()
  const send = async (file: File) => {
    const why = file.size === 0 ? EMPTY : refusalOf(file.name)
    setRefused(why === null ? undefined : { name: file.name, why })
    if (why !== null) return
    setBusy(true)
    try {
      const body = new FormData()
      body.append('file', file)
      const { id } = await request<{ id: string }>(uploadImport.method, uploadImport.path, body)
      onStarted(await call(startImport, { file_id: id, level, subject_id: subject ?? null }))
    } catch (error) {
      // It stays until another file is chosen: what the shell shows goes away.
      if (error instanceof CallError) setRefused({ name: file.name, why: error.message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Space orientation="vertical" size="middle" className="wide">
      <Space wrap>
        <label htmlFor="import-subject">学科</label>
        <Select id="import-subject" allowClear placeholder="由文件识别" value={subject} onChange={setSubject} options={subjects.map(({ id, name }) => ({ value: id, label: name }))} className="import-subject" />
      </Space>
      {refused && <Alert type="error" showIcon title={`${refused.name} 没有上传`} description={refused.why} />}
      <Upload.Dragger maxCount={1} showUploadList={false} disabled={busy} beforeUpload={(file) => { void send(file); return false }}>
        <p className="ant-upload-drag-icon"><InboxOutlined /></p>
        <p className="ant-upload-text">{busy ? '正在上传…' : '点击或把试题文件拖到这里'}</p>
        <p className="ant-upload-hint">支持 {ENDINGS.join('、')}，不超过 50 MB</p>
      </Upload.Dragger>
    </Space>
  )
}

function Finish({ batch, onJob }: { batch: ImportBatch; onJob: (id: number) => void }) {
  const [problems, setProblems] = useState(false)
  const [alike, setAlike] = useState(false)
  const { counts } = batch
  const commit = async () => {
    const { job_id } = await call(commitImport, { problems, alike }, { params: { id: batch.id } })
    onJob(job_id)
  }
  return (
    <div className="import-finish">
      <Checkbox checked={problems} onChange={(event) => setProblems(event.target.checked)}>有问题的 {counts.problem} 道也存为草稿，以后再改</Checkbox>
      <Checkbox checked={alike} onChange={(event) => setAlike(event.target.checked)}>题库中已有的相同试题也导入</Checkbox>
      <Button type="primary" disabled={counts.all === 0} onClick={() => void commit().catch(() => undefined)}>入库</Button>
    </div>
  )
}

/** Questions that a job has left out because the bank has them. */
const thereOf = (result: unknown) => (typeof result === 'object' && result !== null && 'there' in result ? Number(result.there) : 0)

/** Brings questions of a file into the bank: choose, parse, look over, write; the whole batch can be taken back (domain 3.9). */
export function ImportPanel({ level, onClose, onChanged }: Props) {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const [started, setStarted] = useState<{ id: number; job_id: number }>()
  const { job, cancel, retry } = useJob(started?.job_id)
  const batch = useQuery({
    queryKey: ['practice-import', started?.id, started?.job_id, job?.status], enabled: started !== undefined && job !== undefined && !isMoving(job),
    queryFn: ({ signal }) => call(getImport, undefined, { params: { id: started?.id ?? 0 }, signal }),
  })
  const tell = useRef(onChanged)
  useEffect(() => {
    tell.current = onChanged
  })
  const finished = batch.data && batch.data.counts.written > 0 ? batch.data.job_id : undefined
  useEffect(() => {
    if (finished !== undefined) tell.current()
  }, [finished])
  const reload = () => client.invalidateQueries({ queryKey: ['practice-import'] })
  const data = job && !isMoving(job) ? batch.data : undefined
  const step = !started ? 0 : !data ? 1 : data.counts.written > 0 ? 3 : 2
  const undo = () => modal.confirm({
    title: '撤销这次导入', content: `将删除入库的 ${data?.counts.written ?? 0} 道试题；入库后改动过的保留。`, okText: '撤销导入', okButtonProps: { danger: true },
    onOk: async () => {
      const { removed, kept } = await call(undoImport, undefined, { params: { id: started?.id ?? 0 } })
      void message.success(kept > 0 ? `已删除 ${removed} 道，保留改动过的 ${kept} 道` : `已删除 ${removed} 道`)
      void reload()
      onChanged()
    },
  })
  return (
    <Drawer open onClose={onClose} title="导入试题" size="min(1100px, 100vw)" destroyOnHidden>
      <Steps size="small" current={step} items={STEPS.map((title) => ({ title }))} className="import-steps" />
      {!started && <ChooseFile level={level} onStarted={setStarted} />}
      {started && (!data || job?.status === 'failed') && <JobProgress job={job} onCancel={cancel} onRetry={retry} />}
      {started && job?.status === 'failed' && <Button className="import-again" onClick={() => setStarted(undefined)}>换一个文件</Button>}
      {data && job?.status === 'done' && (
        <Space orientation="vertical" size="middle" className="wide">
          {data.counts.written > 0 && (
            <Alert type="success" showIcon title={`已入库 ${data.counts.written} 道，为草稿${thereOf(job.result) > 0 ? `；另有 ${thereOf(job.result)} 道题库中已有，没有写入` : ''}`} action={<Button size="small" danger onClick={undo}>撤销导入</Button>} />
          )}
          {data.state === 'undone' && <Alert type="info" showIcon title="这次导入已经撤销" />}
          {data.state === 'ready' && data.mapping && data.fields && <MappingForm batch={data} mapping={data.mapping} fields={data.fields} onStarted={setStarted} />}
          {data.notes.map(({ message: note }, index) => <Alert key={index} type="info" showIcon title={note} />)}
          {data.state !== 'undone' && data.counts.written < data.counts.all && <CommonFacts key={data.job_id} batch={data} onStarted={setStarted} />}
          <LabelDecisions batch={data} />
          <ImportItems batch={data} onChanged={reload} />
          {data.state !== 'undone' && data.counts.written < data.counts.all - data.counts.skipped && <Finish batch={data} onJob={(job_id) => { setStarted({ id: data.id, job_id }) }} />}
          {data.state !== 'undone' && HANDOVERS.map((Handover, index) => <Suspense key={index} fallback={null}><Handover batch={data} onChanged={() => void reload()} /></Suspense>)}
          <Button onClick={() => setStarted(undefined)}>再导入一个文件</Button>
        </Space>
      )}
    </Drawer>
  )
}
