import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import { Alert, App, Button, Drawer, Radio, Segmented, Select, Space, Statistic, Steps, Upload } from 'antd'
import { Suspense, useState } from 'react'
import { request } from '../endpoint/call.tsx'
import { useAttempt } from '../form/use-attempt.tsx'
import type { JobInfo } from '../job/calls.ts'
import { JobProgress } from '../job/job-progress.tsx'
import { isMoving, useJob } from '../job/use-job.tsx'
import type { Resource } from '../resource/define.ts'
import { viewOf } from '../field/views.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { useWide } from '../ui/use-media.tsx'
import type { ImportChecked, ImportUndone, ImportWritten } from './calls.ts'
import { importKeys } from './columns.ts'
import { ImportRows } from './import-preview.tsx'
import { blankSheet, hasCells, pastedFile } from './pasted.ts'

const PasteSheet = retryLazy(async () => ({ default: (await import('./paste-sheet.tsx')).PasteSheet }))

interface Props {
  resource: Resource
  onClose: () => void
  reload: () => void
}

type Values = Record<string, unknown>
/** domain 1.19: workbooks up to 50 MB. */
const MAX_BYTES = 50 * 1024 * 1024

/** Takes a workbook from the desk into the list: upload, check, look, write, and back if it was wrong. */
export function ImportWizard({ resource, onClose, reload }: Props) {
  const [file, setFile] = useState<{ id: string; name: string }>()
  /** A sheet that is typed or pasted here instead of a file; it is kept while its check is looked at. */
  const [pasting, setPasting] = useState(false)
  const [sheet, setSheet] = useState<string[][]>()
  const { busy, attempt } = useAttempt()
  const { modal } = App.useApp()
  const [fixed, setFixed] = useState<Values>({})
  const [checkId, setCheckId] = useState<number>()
  /** What the rows come to since some were mended. */
  const [mended, setMended] = useState<ImportChecked['counts']>()
  /** What was mended, by row and field: it is not lost when the file is checked again. */
  const [texts, setTexts] = useState<Record<string, Record<string, string>>>({})
  const [writeId, setWriteId] = useState<number>()
  const [undoId, setUndoId] = useState<number>()
  const [bad, setBad] = useState<'refuse' | 'skip'>('skip')
  const [existing, setExisting] = useState<'refuse' | 'update'>('refuse')
  const check = useJob(checkId)
  const write = useJob(writeId)
  const undo = useJob(undoId)
  const { list } = resource.api

  const startCheck = (fileId: string, mapping?: Record<string, number | null>, shared: Values = fixed, again = texts) => attempt(async () => {
    setWriteId(undefined)
    setUndoId(undefined)
    const { job } = await request<{ job: JobInfo }>('POST', `${list}/import`, { file_id: fileId, mode: 'check', fixed: shared, mended: again, ...(mapping && { mapping }) })
    setMended(undefined)
    setCheckId(job.id)
  })
  const upload = (chosen: File) => attempt(async () => {
    if (chosen.size > MAX_BYTES) throw new Error('文件不能超过 50 MB')
    const body = new FormData()
    body.append('file', chosen)
    const { id } = await request<{ id: string }>('POST', '/daoyuan/api/end/files?kind=file', body)
    setFile({ id, name: chosen.name })
    setTexts({})
    await startCheck(id, undefined, fixed, {})
  })
  const pastedAsFile = () => new File([pastedFile(keys.map((key) => resource.fields[key]?.label ?? key), sheet ?? [])], '粘贴的表格.csv', { type: 'text/csv' })
  const startWrite = () => attempt(async () => {
    const { job } = await request<{ job: JobInfo }>('POST', `${list}/import_commit`, { job_id: checkId, bad, existing })
    setWriteId(job.id)
  })
  const startUndo = () => attempt(async () => {
    const { job } = await request<{ job: JobInfo }>('POST', `${list}/import_undo`, { job_id: writeId })
    setUndoId(job.id)
  })
  const again = () => {
    setFile(undefined)
    setCheckId(undefined)
    setWriteId(undefined)
    setUndoId(undefined)
  }
  const close = () => {
    const leave = () => {
      if (writeId) reload()
      onClose()
    }
    if (writeId || !sheet || !hasCells(sheet)) return leave()
    modal.confirm({ title: '放弃粘贴的内容？', content: '这些行还没有写入，关闭后不再保留。', okText: '放弃', okButtonProps: { danger: true }, cancelText: '继续填写', onOk: leave })
  }

  // What a job answers has the shape that its kind declares.
  const checked = check.job?.status === 'done' ? (check.job.result as unknown as ImportChecked) : undefined
  const counts = mended ?? checked?.counts
  const written = write.job?.status === 'done' || write.job?.status === 'undone' ? (write.job.result as unknown as ImportWritten) : undefined
  const undone = undo.job?.status === 'done' ? (undo.job.result as unknown as ImportUndone) : undefined
  const step = writeId ? 3 : checked ? 2 : file ? 1 : 0
  // On a phone the titles stand below the circles: side by side, the steps take the half of the screen.
  const wide = useWide('md')
  const keys = importKeys(resource, Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== null && value !== undefined)))
  const shared = importKeys(resource).filter((key) => resource.fields[key]?.prefilled && resource.fields[key]?.required)

  const sharedInputs = (put: (key: string, value: unknown) => void) => shared.map((key) => {
    const field = resource.fields[key]
    if (!field) return null
    const { Input } = viewOf(field)
    return (
      <label key={key} className="filter wide-filter" htmlFor={`fixed-${key}`}>
        <span>全部归入</span>
        <Input field={field} name={key} id={`fixed-${key}`} values={{ ...resource.where, ...fixed }} value={fixed[key]} disabled={busy} onChange={(value) => put(key, value)} />
      </label>
    )
  })

  return (
    <Drawer open title={`导入${resource.label}`} size={960} onClose={close} mask={{ closable: false }}>
      <Steps size="small" current={step} responsive={false} titlePlacement={wide ? 'horizontal' : 'vertical'} items={['选择文件', '检查', '预览', '导入'].map((title) => ({ title }))} className="wizard-steps" />
      {step === 0 && (
        <Space orientation="vertical" size="large" className="wide">
          <Segmented<boolean> value={pasting} onChange={setPasting} disabled={busy} aria-label="从哪里导入" options={[{ value: false, label: '选择文件' }, { value: true, label: '粘贴表格' }]} />
          {!pasting && <Space wrap>
            <Button icon={<DownloadOutlined />} href={`${list}/import_template`}>下载导入模板</Button>
            <span className="note">支持 .xlsx 和 .csv，按列名识别，列的顺序和多余的标题行不影响</span>
          </Space>}
          {sharedInputs((key, value) => setFixed({ ...fixed, [key]: value }))}
          {pasting ? (
            <Suspense fallback={<p className="note">加载中…</p>}>
              <PasteSheet key={keys.join()} resource={resource} keys={keys} sheet={sheet?.[0]?.length === keys.length ? sheet : blankSheet(keys.length)} onChange={setSheet} busy={busy} onCheck={() => void upload(pastedAsFile())} />
            </Suspense>
          ) : <Upload.Dragger accept=".xlsx,.csv,.txt" showUploadList={false} disabled={busy} beforeUpload={(chosen) => { void upload(chosen); return false }}>
            <p className="ant-upload-drag-icon"><InboxOutlined /></p>
            <p>{busy ? '正在上传…' : '点击选择文件，或把文件拖到这里'}</p>
          </Upload.Dragger>}
        </Space>
      )}
      {step === 1 && <JobProgress job={check.job} onCancel={check.cancel} onRetry={check.retry} />}
      {step === 1 && check.job && !isMoving(check.job) && <Button onClick={again}>{pasting ? '返回表格' : '重新选择文件'}</Button>}
      {step === 2 && checked && (
        <Space orientation="vertical" size="middle" className="wide">
          {checked.problem && <Alert type="error" showIcon title={checked.problem} />}
          {sharedInputs((key, value) => {
            const next = { ...fixed, [key]: value }
            setFixed(next)
            if (file) void startCheck(file.id, checked.mapping, next)
          })}
          {!checked.problem && counts && (
            <Space size="large" wrap>
              <Statistic title="可新增" value={counts.new} />
              <Statistic title="已存在" value={counts.update} />
              <Statistic title="有误" value={counts.bad} {...(counts.bad > 0 && { styles: { content: { color: 'var(--bad)' } } })} />
              {checked.errors && counts.bad > 0 && <Button icon={<DownloadOutlined />} href={checked.errors.url}>下载错误明细（改好后可直接再上传）</Button>}
            </Space>
          )}
          {checked.unknown.length > 0 && <Alert type="warning" showIcon title={`以下列没有对应的字段，将被忽略：${checked.unknown.join('、')}`} />}
          <details open={checked.problem !== undefined}>
            <summary>列对应关系</summary>
            <div className="mapping">
              {keys.map((key) => (
                <label key={key} htmlFor={`map-${key}`}>
                  <span>{resource.fields[key]?.label}{resource.fields[key]?.required && <span className="problem"> *</span>}</span>
                  <Select<number> id={`map-${key}`} size="small" allowClear className="wide" placeholder="不导入" disabled={busy} value={checked.mapping[key] ?? null}
                    options={checked.columns.map(({ index, label }) => ({ value: index, label }))}
                    onChange={(next?: number) => { if (file) void startCheck(file.id, { ...checked.mapping, [key]: next ?? null }) }} />
                </label>
              ))}
            </div>
          </details>
          {!checked.problem && checkId !== undefined && counts && <ImportRows key={checkId} resource={resource} jobId={checkId} keys={keys.filter((key) => key in checked.mapping)} counts={counts} fixed={fixed}
            onMended={(row, key, text, next) => { setMended(next); setTexts({ ...texts, [row]: { ...texts[row], [key]: text } }) }} />}
          {!checked.problem && counts && (
            <Space orientation="vertical">
              {counts.bad > 0 && <Radio.Group value={bad} onChange={(event) => setBad(event.target.value as typeof bad)} options={[{ value: 'skip', label: '只导入正确的行' }, { value: 'refuse', label: '有错误就全部不导入' }]} />}
              {counts.update > 0 && <Radio.Group value={existing} onChange={(event) => setExisting(event.target.value as typeof existing)} options={[{ value: 'refuse', label: '已存在的不导入' }, { value: 'update', label: '更新已存在的（空单元格不改）' }]} />}
            </Space>
          )}
          <Space>
            <Button onClick={again}>{pasting ? '返回表格' : '重新选择文件'}</Button>
            <Button type="primary" loading={busy} disabled={checked.problem !== undefined || counts?.good === 0} onClick={() => void startWrite()}>{pasting ? '提交' : '开始导入'}</Button>
          </Space>
        </Space>
      )}
      {step === 3 && (
        <Space orientation="vertical" size="middle" className="wide">
          <JobProgress job={write.job} onCancel={write.cancel} onRetry={write.retry} />
          {written && !undone && (
            <>
              <Alert type="success" showIcon title={`导入完成：新增 ${written.created} 条${written.updated ? `，更新 ${written.updated} 条` : ''}${written.skipped ? `，跳过 ${written.skipped} 条` : ''}`} />
              {written.late.length > 0 && <Alert type="warning" title={`有 ${written.late.length} 行在写入时已不符合条件`} description={<ul>{written.late.slice(0, 20).map((row) => <li key={row.row_number}>第 {row.row_number} 行：{row.reason}</li>)}</ul>} />}
            </>
          )}
          {undoId && <JobProgress job={undo.job} onCancel={undo.cancel} onRetry={undo.retry} />}
          {undone && <Alert type="info" showIcon title={`已撤销：删除 ${undone.removed} 条${undone.reverted ? `，还原 ${undone.reverted} 条` : ''}${undone.kept ? `，${undone.kept} 条之后又被修改，保持不变` : ''}`} />}
          <Space wrap>
            {checked?.errors && <Button icon={<DownloadOutlined />} href={checked.errors.url}>下载错误明细</Button>}
            {written && !undoId && <Button danger loading={busy} onClick={() => void startUndo()}>撤销这次导入</Button>}
            {!isMoving(write.job) && <Button onClick={() => { if (written) setSheet(undefined); again() }}>继续导入</Button>}
            <Button type="primary" onClick={close}>{isMoving(write.job) ? '后台运行' : '完成'}</Button>
          </Space>
        </Space>
      )}
    </Drawer>
  )
}
