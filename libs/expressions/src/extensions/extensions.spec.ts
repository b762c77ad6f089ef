import { describe, expect, it } from 'vitest';
import { evaluateFast } from '../../testing/both-ways.ts';
import { executionDataOf } from '../../testing/execution-data-of.ts';

const data = executionDataOf({ timezone: 'America/New_York', items: [{ nul: null }] });
const evaluate = (code: string): unknown => {
  const ending = evaluateFast(`={{ ${code} }}`, data);
  return ending && 'error' in ending ? `${ending.error}: ${ending.message}` : ending?.value;
};

/* What was seen on the reference is in testing/observed.json; these are the rules it leaves open. */
describe('methods that the language adds', () => {
  it.each([
    ['"12.9abc".toInt()', 12],
    ['"ff".toInt(16)', 255],
    ['"€ 12.50".toNumber()', 12.5],
    ['"a@b".isEmail()', false],
    ['"ftp://x.example/y".isUrl()', true],
    ['"mailto:a@b.example".isUrl()', false],
    ['"http://[::1]:80/a".extractDomain()', '[::1]'],
    ['"ann@a.example, bob@b.example".extractEmail()', 'ann@a.example'],
    ['"(https://x.example/a)".extractUrl()', 'https://x.example/a'],
    ['"https://x.example".extractUrlPath()', '/'],
    ['"say \\"hi\\"".quote()', '"say \\"hi\\""'],
    ['"a b/c?d=ü".urlEncode()', 'a%20b%2Fc%3Fd%3D%C3%BC'],
    ['"a b/c?d".urlEncode(true)', 'a%20b/c?d'],
    ['"ÀÉÎõü ßæ Дом".replaceSpecialChars()', 'AEIou ssae Dom'],
    ['"1 < 2 and <b>3</b> > 2".removeTags()', '1 < 2 and 3 > 2'],
    ['"snake_case_name and 2 * 3 * 4".removeMarkdown()', 'snake_case_name and 2 * 3 * 4'],
    ['"![alt](i.png) [a](b) **c** ~~d~~".removeMarkdown()', 'alt a c d'],
    ['"YWJj\\nZA==".base64Decode()', 'abcd'],
    ['"2024-03-15".toDate().toISOString()', new Date('2024-03-15T00:00:00').toISOString()],
    ['"2024-03-15 10:00".toDateTime("yyyy-MM-dd HH:mm").toISO()', '2024-03-15T10:00:00.000-04:00'],
    ['"2024-03-15T10:00:00.000Z".format("HH:mm")', '06:00'],
    ['(60).toDateTime("excel").setZone("utc").toISODate()', '1900-02-28'],
    ['(1).toDateTime("excel").setZone("utc").toISODate()', '1900-01-01'],
    ['(2.345).round(2)', Number((2.345).toFixed(2))],
    ['[1, 2, 3, 4, 5].average()', 3],
    ['[[1, 2], [1, 2], { a: 1, b: 2 }, { b: 2, a: 1 }, "1", 1].unique()', [[1, 2], { a: 1, b: 2 }, '1', 1]],
    ['[{ a: 1 }, { b: 2 }].pluck("a")', [1]],
    ['[1, 2].pluck()', [1, 2]],
    ['[{ a: 1 }, { a: 2, b: 3 }].merge()', { a: 1, b: 3 }],
    ['[{ a: 1 }].mergeIntoObject([{ a: 9 }, { b: 2 }])', { a: 1, b: 2 }],
    ['({ a: null, b: { c: "", d: 1 }, e: [null] }).compact()', { b: { d: 1 }, e: [null] }],
    ['$now.plus(1, "hr").diffTo($now, "min")', 60],
    ['$now.diffTo($now.minus({ days: 1, hours: 3 }), ["days", "hours"])', { days: 1, hours: 3 }],
    ['$now.minus(90, "mins").format("HH:mm")', '04:50'],
    ['$now.plus(1500).toMillis() - $now.toMillis()', 1500],
    ['$now.isBetween("2024-12-31", "2024-01-01")', true],
    ['$now.minus(5, "minutes").isInLast(10)', true],
    ['$now.plus(5, "minutes").isInLast(10)', false],
    ['$now.extract("yearDayNumber")', 75],
    ['DateTime.fromISO("2024-03-16").isWeekend()', true],
    ['$today.toISO()', '2024-03-15T00:00:00.000-04:00'],
    ['$json.nul.isNotEmpty()', false],
  ])('%s', (code, expected) => {
    expect(evaluate(code)).toEqual(expected);
  });

  it.each([
    ['$json.nul.toTitleCase()', "can't be used on null value"],
    ['$json.gone.toTitleCase()', "can't be used on undefined value"],
    ['(5).toTitleCase()', 'only callable on type "String"'],
    ['"x".sum()', 'only callable on type "Array"'],
    ['["a"].sum()', 'lists of numbers'],
    ['[1].chunk()', 'size'],
    ['[{}].renameKeys("a")', 'pairs'],
    ['[1].merge(2)', 'needs a list'],
    ['"1,5".toFloat()', 'comma'],
    ['"{\'a\'}".parseJson()', 'no JSON'],
    ['"x".hash("md4")', 'unknown algorithm'],
    ['(1.5).isEven()', 'whole number'],
    ['$now.isBetween("2024-01-01")', 'two dates'],
    ['$now.plus(1, "moons")', 'Unknown unit'],
    ['$if(true)', 'at least two'],
    ['$ifEmpty(1)', 'two arguments'],
    ['({ a: 1 }).keepFieldsContaining("")', 'not empty'],
  ])('%s is an error that the author sees', (code, words) => {
    expect(evaluate(code)).toMatch(/^expression_extension: /);
    expect(evaluate(code)).toContain(words);
  });
});
