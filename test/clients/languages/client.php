<?php
// JSON and forms by curl, with a cookie that is looked for by the usual name of its header. Prints one JSON object.
[, $url] = $argv;

function send(string $url, ?string $body = null, array $headers = []): array
{
    $cookie = null;
    $handle = curl_init($url);
    curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($handle, CURLOPT_HTTPHEADER, $headers);
    if ($body !== null) {
        curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
    }
    curl_setopt($handle, CURLOPT_HEADERFUNCTION, function ($handle, $line) use (&$cookie) {
        if (str_starts_with($line, 'Set-Cookie: ')) {
            $cookie = explode(';', substr($line, strlen('Set-Cookie: ')))[0];
        }
        return strlen($line);
    });
    return [json_decode(curl_exec($handle), true), $cookie];
}

$json = ['Content-Type: application/json'];
$names = fn (array $reply) => array_column($reply['results'], 'screen_name');
foreach (['php1', 'php2'] as $name) {
    $person = ['userName' => $name, 'password' => 'correct horse', 'autoLogin' => true];
    [, $cookie] = send("$url/register", json_encode($person), $json);
}
$list = http_build_query(['screenNames' => ['php2', 'php1']]);
$nested = http_build_query(['screenNames' => [['php2'], ['php1']]]);
[$sessions] = send("$url/auth/sessions", null, ["Cookie: $cookie"]);
echo json_encode([
    'query' => $names(send("$url/api/SocialUsers?$list")[0]),
    'form' => $names(send("$url/api/SocialUsers", $list)[0]),
    'nested' => $names(send("$url/api/SocialUsers?$nested")[0]),
    'sessions' => count($sessions['results'] ?? []),
]);
