import type { NodeDescription, PropertyDescription } from '@app/engine';
import { describeNode } from '../description.ts';
import { anything, choice, entries, flag, groups, number, settings, text, when } from '../parameters/properties.ts';

const authTypes = ['httpBasicAuth', 'httpBearerAuth', 'httpHeaderAuth', 'httpQueryAuth', 'httpCustomAuth'];
const pair = [text('name'), text('value')];

const section = (name: 'Query' | 'Headers', pairs: string, json: string): PropertyDescription[] => [
  flag(`send${name}`, false),
  choice(`specify${name}`, 'keypair', ['keypair', 'json'], when({ [`send${name}`]: [true] })),
  entries(pairs, 'parameters', pair, when({ [`send${name}`]: [true], [`specify${name}`]: ['keypair'] })),
  anything(json, 'json', '', when({ [`send${name}`]: [true], [`specify${name}`]: ['json'] })),
];

const body: PropertyDescription[] = [
  flag('sendBody', false),
  choice('contentType', 'json', ['json', 'form-urlencoded', 'multipart-form-data', 'binaryData', 'raw'], when({ sendBody: [true] })),
  choice('specifyBody', 'keypair', ['keypair', 'json'], when({ sendBody: [true], contentType: ['json'] })),
  choice('specifyBody', 'keypair', ['keypair', 'string'], when({ sendBody: [true], contentType: ['form-urlencoded'] })),
  entries('bodyParameters', 'parameters', pair, when({ sendBody: [true], contentType: ['json', 'form-urlencoded'], specifyBody: ['keypair'] })),
  entries(
    'bodyParameters',
    'parameters',
    [choice('parameterType', 'formData', ['formData', 'formBinaryData']), text('name'), text('value'), text('inputDataFieldName')],
    when({ sendBody: [true], contentType: ['multipart-form-data'] }),
  ),
  anything('jsonBody', 'json', '', when({ sendBody: [true], contentType: ['json'], specifyBody: ['json'] })),
  text('body', '', when({ sendBody: [true], contentType: ['form-urlencoded'], specifyBody: ['string'] })),
  text('inputDataFieldName', '', when({ sendBody: [true], contentType: ['binaryData'] })),
  text('rawContentType', '', when({ sendBody: [true], contentType: ['raw'] })),
  text('body', '', when({ sendBody: [true], contentType: ['raw'] })),
];

const pagination = groups('pagination', {
  pagination: [
    choice('paginationMode', 'updateAParameterInEachRequest', ['off', 'updateAParameterInEachRequest', 'responseContainsNextURL']),
    text('nextURL'),
    entries('parameters', 'parameters', [choice('type', 'qs', ['body', 'headers', 'qs']), text('name'), text('value')]),
    choice('paginationCompleteWhen', 'responseIsEmpty', ['responseIsEmpty', 'receiveSpecificStatusCodes', 'other']),
    text('statusCodesWhenComplete'),
    text('completeExpression'),
    flag('limitPagesFetched', false),
    number('maxRequests', 100),
    number('requestInterval', 0),
  ],
});

const options = settings([
  groups('batching', { batch: [number('batchSize', 50), number('batchInterval', 1000)] }),
  flag('allowUnauthorizedCerts', false),
  choice('queryParameterArrays', 'brackets', ['repeat', 'brackets', 'indices']),
  flag('lowercaseHeaders', true),
  groups('redirect', { redirect: [flag('followRedirects', true), number('maxRedirects', 21)] }),
  groups('response', {
    response: [
      flag('fullResponse', false),
      flag('neverError', false),
      choice('responseFormat', 'autodetect', ['autodetect', 'file', 'json', 'text']),
      text('outputPropertyName', 'data', when({ responseFormat: ['file', 'text'] })),
    ],
  }),
  pagination,
  text('proxy'),
  number('timeout', 10_000),
]);

export const httpRequestDescription: NodeDescription = describeNode({
  name: 'httpRequest',
  displayName: 'HTTP Request',
  versions: [3, 4, 4.1, 4.2, 4.3, 4.4],
  properties: [
    anything('method', 'json', 'GET'),
    { ...text('url'), required: true },
    choice('authentication', 'none', ['none', 'predefinedCredentialType', 'genericCredentialType']),
    text('nodeCredentialType', '', when({ authentication: ['predefinedCredentialType'] })),
    text('genericAuthType', '', when({ authentication: ['genericCredentialType'] })),
    ...section('Query', 'queryParameters', 'jsonQuery'),
    ...section('Headers', 'headerParameters', 'jsonHeaders'),
    ...body,
    options,
  ],
  credentials: authTypes.map((name) => ({
    name,
    required: true,
    displayOptions: { show: { authentication: ['genericCredentialType'], genericAuthType: [name] } },
  })),
});
