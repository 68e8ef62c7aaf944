import { Button } from 'antd'
import { Link } from 'react-router'
import { useCan } from '../../core/session/staff-context.tsx'
import { present } from '../../core/resource/present.tsx'
import { screenId } from '../screens.ts'
import { SentencesInput } from './sentences-input.tsx'
import { SoundButton } from './sound-button.tsx'
import { WordCard } from './word-card.tsx'
import { englishWord } from './word.ts'

const ADD = screenId('/englishApp/addWord')

const sound = (label: string) => function Sound({ value, row }: { value: string | null; row: { headword: string } }) {
  return value ? <SoundButton url={value} label={`播放 ${row.headword} 的${label}`} /> : <span className="lacking">缺</span>
}

function AddMany() {
  const may = useCan()
  return may(ADD) ? <Link to="/englishApp/addWord"><Button>表格录入</Button></Link> : null
}

export default present(englishWord)({
  cells: {
    uk: ({ value }) => (value ? <span className="ipa">/{value}/</span> : <span className="lacking">缺</span>),
    us: ({ value }) => (value ? <span className="ipa">/{value}/</span> : <span className="lacking">缺</span>),
    uk_audio: sound('英音'),
    us_audio: sound('美音'),
    twins: ({ row, value }) => (Number(value) > 0 ? <Link to={`/englishApp/detail?show=word&keyword=${encodeURIComponent(row.headword)}`}>{Number(value)} 处</Link> : null),
  },
  inputs: { sentences: SentencesInput },
  bulkFields: ['level', 'unit_id'],
  slots: {
    toolbar: AddMany,
    head: ({ row }) => (
      <>
        <WordCard word={row} />
        <p><Link to={`/englishApp/editWord/${row.id}`}>完整编辑</Link></p>
      </>
    ),
  },
})
