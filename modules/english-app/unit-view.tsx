import { Link } from 'react-router'
import { standardId } from '../../core/grant/grant.ts'
import { present } from '../../core/resource/present.tsx'
import { PhoneticsDialog } from './phonetics-dialog.tsx'
import { RecordingDialog } from './recording/recording-dialog.tsx'
import { englishUnit } from './unit.ts'
import { englishWord, IPA_STATE } from './word.ts'

/** How many words lack something, with the way to them. */
const hole = (query: string) => function Hole({ value, row }: { value: unknown; row: { id: number; word_cnt?: unknown } }) {
  const count = Number(value ?? 0)
  if (count === 0) return <span className="whole">{Number(row.word_cnt ?? 0) > 0 ? '齐' : '—'}</span>
  return <Link className="lacking" to={`/englishApp/detail?show=word&unit_id=${row.id}&${query}`}>缺 {count}</Link>
}

export default present(englishUnit)({
  cells: {
    word_cnt: ({ row, value }) => <Link to={`/englishApp/detail?show=word&unit_id=${row.id}`}>{Number(value ?? 0)}</Link>,
    no_ipa: ({ row, value }) => (Number(value) > 0 ? <Link className="lacking" to={`/englishApp/detail?show=word&unit_id=${row.id}&state=${IPA_STATE.open}`}>待核 {Number(value)}</Link> : <span className="whole">{Number(row.word_cnt) > 0 ? '齐' : '—'}</span>),
    no_phonetics: hole('lacks=ipa'), no_uk: hole('lacks=uk_audio'), no_us: hole('lacks=us_audio'), no_image: hole('lacks=image'), no_sentence: hole('lacks=sentence'), no_sentence_audio: hole('lacks=sentence_audio'),
  },
  rowActions: [
    { key: 'phonetics', first: true, label: '核对音标', grant: englishWord.rights.id('check'), visible: (row) => row.deleted_at === null && Number(row.no_ipa) > 0 },
    { key: 'recording', label: '整段录音', grant: standardId(englishWord.grant, 'edit'), visible: (row) => row.deleted_at === null && Number(row.word_cnt) > 0 },
  ],
  dialogs: { phonetics: PhoneticsDialog, recording: RecordingDialog },
  slots: { head: ({ row }) => <p><Link to={`/englishApp/addWord?textbook_id=${row.textbook_id}&unit_id=${row.id}`}>录入单词</Link></p> },
})
