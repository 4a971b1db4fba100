// Renders a Helm chart with the template engine and the functions that Helm itself uses. Stdin is JSON:
// {chart, release, namespace, values, secrets}; stdout is JSON: for each template a list of its documents, or its text. With
// {file} it's that file of YAML.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

type request struct {
	Chart, Release, Namespace string
	Values                    object
	// What `lookup` finds, by name.
	Secrets object
	// Instead of a chart, a file of YAML that is printed as JSON.
	File string
}

// Merges as Helm does: maps key by key, null removes a default.
func merge(into, from object) object {
	for key, value := range from {
		inner, isMap := value.(object)
		old, wasMap := into[key].(object)
		switch {
		case value == nil:
			delete(into, key)
		case isMap && wasMap:
			into[key] = merge(old, inner)
		default:
			into[key] = value
		}
	}
	return into
}

func read(path string, into interface{}) {
	text, err := os.ReadFile(path)
	check(err)
	check(yaml.UnmarshalStrict(text, into))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var asked request
	check(json.NewDecoder(os.Stdin).Decode(&asked))
	values, chart := object{}, object{}
	if asked.File != "" {
		read(asked.File, &values)
		check(json.NewEncoder(os.Stdout).Encode(values))
		return
	}
	read(filepath.Join(asked.Chart, "values.yaml"), &values)
	read(filepath.Join(asked.Chart, "Chart.yaml"), &chart)
	named := object{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]}
	release := object{"Name": asked.Release, "Namespace": asked.Namespace, "Service": "Helm"}
	root := object{"Values": merge(values, asked.Values), "Chart": named, "Release": release}

	// A value that isn't in values.yaml is an error here; Helm writes nothing for it.
	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(data interface{}) (string, error) {
		out, err := yaml.Marshal(data)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["lookup"] = func(_, _, _, name string) object {
		found, _ := asked.Secrets[name].(object)
		return found
	}
	all.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(asked.Chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}

	rendered := object{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		check(all.ExecuteTemplate(&out, name, root))
		if !strings.HasSuffix(name, ".yaml") {
			rendered[name] = out.String()
			continue
		}
		documents := []object{}
		for _, text := range strings.Split("\n"+out.String(), "\n---\n") {
			var document object
			if err := yaml.UnmarshalStrict([]byte(text), &document); err != nil {
				check(fmt.Errorf("%s: %w\n%s", name, err, text))
			}
			if len(document) > 0 {
				documents = append(documents, document)
			}
		}
		rendered[name] = documents
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}
